/**
 * Python source that makes random numbers repeat, including bytes from the system (uuid4, secrets) and
 * generators without a seed. Clocks and addresses of objects still vary.
 */
export const standingChance = String.raw`
import os, random

def stand_still():
    drawn = random.Random(0)
    os.urandom = random._urandom = lambda size: drawn.getrandbits(8 * size).to_bytes(size, "little")
    seeded = random.Random.seed
    def seed(self, a=None, version=2):
        seeded(self, 0 if a is None else a, version)
    random.Random.seed = seed
    random.seed = random._inst.seed
    random.seed(0)
`;
