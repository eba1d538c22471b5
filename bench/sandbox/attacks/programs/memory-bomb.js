const kept = []; for (let i = 0; i < 40000; i += 1) kept.push(new Array(100000).fill(i + 0.5)); console.log("BREACH 32 GB");
