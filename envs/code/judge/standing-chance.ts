/**
 * Python's chance stands still: what a program draws is the same each time, also where it asks the system for bytes (uuid4, secrets) or
 * makes a generator without a seed. Clocks go on, and so do addresses of objects.
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
