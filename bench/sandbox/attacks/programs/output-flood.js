for (let i = 0; i < 1e7; i += 1) console.log("x".repeat(1000));
