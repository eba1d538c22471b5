"""Records episodes of Gymnasium's toy-text environments, with every random number that they draw.

    python -m venv v && v/bin/pip install 'gymnasium[toy-text]==1.4.0'
    v/bin/python make-goldens.py > gymnasium.json

Each step has the action, the random numbers of the step, and what it returned. Replayed with the same numbers, the games of Cairn must
return the same.
"""

import json
import random

import gymnasium as gym


class Recorder:
    """Passes calls on to the generator of an environment and keeps what it returned."""

    def __init__(self, inner):
        self.inner = inner
        self.drawn = []

    def random(self):
        value = float(self.inner.random())
        self.drawn.append(value)
        return value

    def choice(self, options):
        index = int(self.inner.integers(len(options)))
        self.drawn.append(index)
        return options[index]

    def take(self):
        drawn, self.drawn = self.drawn, []
        return drawn

    def __getattr__(self, name):
        return getattr(self.inner, name)


def record(name, seeds, **options):
    env = gym.make(name, **options).unwrapped
    episodes = []
    for seed in range(seeds):
        luck = random.Random(seed)
        env.reset(seed=seed)
        recorder = Recorder(env._np_random)
        env._np_random = recorder
        env.reset()
        start = {"drawn": recorder.take()}
        if name == "Blackjack-v1":
            start |= {"player": list(env.player), "dealer": list(env.dealer)}
        else:
            start |= {"state": int(env.s)}
            start |= {"fickle": bool(getattr(env, "fickle_step", False))}
        steps = []
        for _ in range(60):
            action = luck.randrange(env.action_space.n)
            if name.startswith("Taxi"):  # go on: no pointless pickups, so that passengers are carried
                mask = env.action_mask(env.s)
                if luck.random() < 0.8:
                    action = luck.choice([one for one in range(6) if mask[one]])
            observation, reward, done, _, _ = env.step(action)
            seen = [int(part) for part in observation] if isinstance(observation, tuple) else int(observation)
            step = {"action": action, "drawn": recorder.take(), "seen": seen, "reward": float(reward), "done": bool(done)}
            if name.startswith("Taxi"):
                step["fickle"] = bool(env.fickle_step)
            steps.append(step)
            if done:
                break
        episodes.append({"start": start, "steps": steps})
    return {"env": name, "options": options, "episodes": episodes}


groups = [
    record("FrozenLake-v1", 30),
    record("FrozenLake-v1", 10, map_name="8x8", is_slippery=False),
    record("FrozenLake-v1", 20, map_name="8x8", success_rate=0.75),
    record("CliffWalking-v1", 2),
    record("CliffWalking-v1", 6, is_slippery=True),
    record("Taxi-v4", 12),
    record("Taxi-v4", 12, is_rainy=True, fickle_passenger=True),
    record("Blackjack-v1", 300),
    record("Blackjack-v1", 300, sab=False, natural=True),
    record("Blackjack-v1", 300, sab=False),
]
print(json.dumps({"gymnasium": gym.__version__, "groups": groups}, separators=(",", ":")))
