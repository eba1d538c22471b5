for (;;) { try { for (;;); } catch {} }
