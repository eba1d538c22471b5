// Made by test/golden/text-search/MakeWordBreakData.java from the Unicode Character Database (Unicode 9.0, emoji of 11.0). Do not edit.

/**
 * Code points by their set of properties. The ranges follow one another, in base 36: the distance from the
 * end of the previous range, then `+` and the length where that is not 1. A code point outside all ranges has
 * no properties.
 */
export const wordBreakData: readonly (readonly [properties: string, ranges: string])[] = [
  [
    'ALetter',
    '1t+q 6+q 1b a 4 5+n 1+v 1+cq 4+c e+5 7 1 3l+5 1+2 2+4 1 6 1+3 1 1+k 1+2b 1+3v 8+4m 1+12 2 7+13 2z 18+17 z+2 1+2r 1 f+2 7+2 a+3 2 g 1+u t+2h b o+x 9+2 4 5+m 4 9 3 n+p 1z+l 1+8 1y+1i 3 i 7+a f+g 4+8 2+2 2+m 1+7 1 3+4 3 g d+2 1+3 e+2 j+6 4+2 2+m 1+7 1+2 1+2 1+2 v+4 1 j+3 g+9 1+3 1+m 1+7 1+2 1+5 3 i f+2 n b+8 2+2 2+m 1+7 1+2 1+5 3 u+2 1+3 f h 1+6 3+3 1+4 3+2 1 1+2 3+2 3+3 3+c m 1g+8 1+3 1+n 1+g 3 q+3 5+2 u 4+8 1+3 1+n 1+a 1+5 3 w 1+2 f+2 i+8 1+3 1+15 2 g 5+3 8+3 o+6 5+i 3+o 1+9 1 2+7 8p 1r+8 1+10 r+5 7n+12 1 5 2+17 1+99 1+4 2+7 1 1+4 2+15 1+4 2+x 1+4 2+7 1 1+4 2+f 1+1l 1+4 2+1v 11+g g+2e 2+6 3+h8 2+h 1+q 5+23 3+b 7+d 1+4 e+i e+i e+d 1+3 4v+2g 8+5 2+y 1 5+1y a+v 69+n 6m+1b h+7 1j+u d+2 a+18 q+10 15+3 a+10 2+9 2o+4 1+4 3+2 9+5c 1s+7q 2+6 2+12 2+6 2+8 1 1 1 1+v 2+1h 1+7 1 3+3 1+7 3+4 2+6 4+d 5+3 1+7 38 d g+d 2t 4 2+a 1 3+5 6 1 1 1+4 1+a 3+4 5+5 4 h+15 ml+c 1+13 1ee+1b 1+1b 1+3p 6+4 3+2 c+12 1 5 2+1k 7 g+n 9+7 1+7 1+7 1+7 1+7 1+7 1+7 1+7 28 ek 5k+15 3+2m h+r ls5+wd 1v+1a 2+7h 3+g a+2 k+1b g+v 2+28 13+9 2+2v 2+10 1+8 1r+b 1+3 1+4 1+n t+1g e+1e 1q+6 3 1 c+s a+n p+t 7+1b s 1c+15 n+3 1+8 44+b 7+3 c+6 2+6 2+6 9+7 1+7 1+17 1+a a+37 t+8mc c+n 4+1d 6x0+7 c+5 1k+2q x+a3 i+1s 2+1i 14+c 38+5 1+3r 10+q 6+q 1x+v 3+6 2+6 2+6 2+3 z+c 1+q 1+j 1+2 1+f 2+e y+3f 1x+1h 7f+t 3+1d 1b+w g+r 5+12 a+u 2+10 4+8 1+5 16+4e i+10 4+10 4+14 8+1g 4c+8n 9+m a+8 48+6 2 1+18 1+2 3 2+n a+n 9+v 1t+j 1+2 a+m a+q 1y+1k 6+2 1s f+4 1+3 1+r 18+t 3+t z+8 1+s r+1i a+m a+j d+i 32+21 1j+1f d+1f ls+1h 23+19 w+p q+10 15+z 3 c+1c e+4 l 1 z+i 1+p 2c+7 1 1+4 1+f 1+a 7+1b 12+8 2+2 2+m 1+7 1+2 1+5 3 i c+5 4e+1h i+4 1h+1c k+2 1 54+1b 15+4 10+1c k 1n+17 dx+1s v cg+1l 7b+9 1+11 h 1d+u og+pm 2u+33 h+5g 24c+tr 34h+g7 6nt+ft 7+v 35+u i+1c g+4 v+l 5+j og+1x b 1u+d 1s f1b+2z 5+d 3+9 7+a 4me+2d 1+1z 1+2 2 2+2 2+4 1+c 1 1+7 1+1t 1+4 2+8 1+7 1+s 1+4 1+5 1 3+7 1+9g 2+p 1+p 1+v 1+p 1+v 1+p 1+v 1+p 1+v 1+p 1+8 378+5h 1n+1w xo+4 1+r 1+2 1 2 1+a 1+4 1 1 6 4 1 1 1+3 1+2 1 2 1 1 1 1 1+2 1 2+4 1+7 1+4 1+4 1 1+a 1+h 5+3 1+5 1+h hg+q 6+q 8+c 2+a',
  ],
  ['ALetter Han', '9hh 1h'],
  ['ALetter Pictograph', '6k9 p4 2izx+2 c+2'],
  [
    'Complex_Context',
    '2rl+1c 1+2 c+7 1m+2 1 2+2 1 2 6+4 1+7 1+3 1 1 2+2 1+4 1+2 9 2+5 1 l+4 80+17 k g+6 4+4 3 3+2 7+3 4+d c f+2 1cw+1g z 4 ab+u 2+5 b+18 4+q g 3+2 1s+1h 23+e saa+5 1+a a+5 2p+r 3+1e 1 3+2 2+5 2 1 o+5 lcw+q w+2 3',
  ],
  ['Double_Quote', 'y'],
  ['Emoji_Modifier', '2qrf+5'],
  [
    'Extend',
    'lc+34 7n+7 7b+19 1 1+2 1+2 1 20+b 1c+l g 2t+7 2+6 2+2 1+4 z u+r 2j+b 1m+9 y+4 1+9 1+3 1+5 17+3 3c+e 1+x 1i+3 1+i 1+7 a+2 t+3 1k 1+7 2+2 2+3 9 a+2 t+3 1k 1+5 4+2 2+3 3 u+2 3 b+3 1k 1+8 1+3 1+3 k+2 t+3 1k 1+7 2+2 2+3 8+2 a+2 u 1n+5 3+3 1+4 9 14+4 1m+7 1+3 1+4 7+2 b+2 t+3 1k 1+7 1+3 1+4 7+2 b+2 t+3 1m+7 1+3 1+4 9 a+2 u+2 1y 4+6 1 1+8 i+2 84+2 r 1 1 4+2 1d+k 1+2 5+b 1+10 9 pi+3 qa+3 t+3 t+2 u+2 47+3 3b+2 y 3a+c 4+c 63+5 2r 1c+f 1t+5 1b+h 12+9 c+3 u+d 1k+e 1c+k 48+3 1+l 4 4+3 3+2 5i+1i 5+5 ek 5f+j 1+d 2da+3 3x 2o+w fe+6 2x+2 n9w+4 1+a w+2 28+2 7k 3 4 n+5 2g+2 1e+i q+i 1g+8 p+d 18+4 1b+e 2w+e c 8+2 4d+5 5+2 6k+8 1+2 fn4 kh+e i+g a6+2 gt 6a 45+5 1ae+3 1+2 5+4 14+3 4 4l+2 109+3 1h+f 1k+4 19+b 1x+3 10+e 1q c+3 1c+e 9+3 2n+c 6 4g+c l+4 1k 1+7 2+2 2+3 9 a+2 2+7 3+5 5c+i 2x+k 6j+7 2+9 r+2 2a+h 2y+d 12v+8 1+8 2a+m 1+e fg9+5 1n+7 t6+1a g+4 f7u+2 43q+5 3+6 8+8 2+7 u+4 44+3 1iz+1j 4+1e 8 e m+5 1+f 11s+7 1+h 2+7 1+2 1+5 1ph+7 31+7 gzhx+6o',
  ],
  [
    'Extend Complex_Context',
    '2sx 2+7 c+8 2q 2+6 1+2 b+6 9p+k n+4 4+3 1+3 2+7 3+4 d+c 1 a+4 1ee+w 9 hj+a 1+t sbs 45+3 1e 1+3 2+2 5+2 1 lej+f',
  ],
  ['Extend Emoji_Style', '1e6n'],
  ['Extend Key_Cap', '6hv'],
  ['Extend Tag', 'jnz4+2n'],
  ['Extend Tag_End', 'jo1r'],
  ['Extend Text_Style', '1e6m'],
  ['ExtendNumLet', '2n 6a7 f+2 j 17tq+2 o+3 6n'],
  ['Format', '4t 11u+6 m 5c 1d cy 2zv 1kv+2 q+5 1d+5 1+a 17yn 6x+3 3b5 xya+4 43z+8 h406'],
  ['Han', '96o+q 1+2h c+5y 1d p+9 e+3 qt+52u 22+g5y hm2+a6 2+2y 1fl2+wyf 15+379 b+66 2+4g2 866+f2'],
  ['Hebrew_Letter', '15c+r 5+3 1cfe 1+a 1+d 1+5 1 1+2 1+2 1+a'],
  ['Hiragana', '9j5+2e 6+3 23q9 d1a'],
  ['Katakana', '9ip+5 2t+2 3+2j 1+4 6o+g 5s+1b 1+2g 14b2+1k yua'],
  ['Key_Cap_Base', 'z 6'],
  ['MidLetter', '1m 3g f3 4v h8 56a 17u3 1t 5g'],
  ['MidNum', '18 e n6 ei 3m+2 2m az 4sr 17t7 3 1n 3 53 e'],
  ['MidNumLet', '1a 6ax+2 a 17vx 50 6'],
  [
    'Numeric',
    '19c+a 1 3o+a 5i+a bg+a 3a+a 3a+a 3a+a 3a+a 3a+a 3a+a 3a+a 3a+a 3a+a 2o+a 3a+a 1y+a 7q+a 1y+a 1fq+a 12+a 8c+a 3k+a 4m+a 6+a 52+a 2e+a 3q+a 6+a r7q+a iu+a 12+a 5i+a m+a 2e+a ba+a geu+a 13a+a 2bg+a 3k+a 1o+a 40+a 7q+a 9i+a 3a+a ae+a 2u+a 2u+a bq+a o6+a feu+a 6e+a lf8+1e 3f4+a',
  ],
  ['Numeric Key_Cap_Base', '1c+a'],
  [
    'Pictograph',
    '4p 4 68d c 60 35+6 f+2 a7+2 c 2n 1y p+b 4+3 bz+2 a 9 1m+4 1+6 1+c 1+9 1+2w a+2x 1+c 2+2 4+5 1 1 6 3 6 a+2 f 2 4 1 4+3 1 b+5 19+3 9 e e ac+2 cv+3 j+2 1f 4 yi c gp 1 2fza+74 d+3 v 1o+4 u 2+a i+1l r+f a k 2+9 1+4 9+8s 1+1o 3+2 1+2 3+1a 5+1u 2+2 b+l 4+4 1 9+3 1+4 3 3+y 1+43 8+1a 2+4 1+l 1+4 2+4u 3+3 1h+z 1+g 3+9 1+b 1+1f 38+c 2d+17 c+4 1k+8 a+6 14+8 u+2a c+c 5 2+6 1+9 a 1 2+7 1+32 2 2+n d+17k',
  ],
  [
    'Pictograph Emoji_Modifier_Base',
    '7j1 63 g+4 2iyf 1o+3 2 2+3 39+2 2+b l+4 4 1+9 3 4+3 1+3 y 5l+2 4 l 4+2 4u+3 3+5 2b g+3 9 b gb+5 1+2 6 9+a 3+2 3a+2 1+2 n+d',
  ],
  ['Regional_Indicator', '2qcm+q'],
  ['Single_Quote', '13'],
  ['ZWJ', '6bx'],
];
