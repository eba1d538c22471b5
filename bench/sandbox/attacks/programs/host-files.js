const fs = require("fs"), { createHash } = require("crypto");
for (const [place, digest] of Object.entries(given.digests)) {
  try { if (createHash("sha256").update(fs.readFileSync(place)).digest("hex") === digest) console.log("BREACH read " + place); } catch {}
}
