"""Plays the games of this folder in TextWorld and writes down what it says, for the tests to compare with.

    pip install 'textworld[pddl]==1.7.0' alfworld==0.4.2 --no-deps    # and what they ask for
    python make-goldens.py harbour household-current household-classic

For each NAME it reads NAME.tw-pddl, or else NAME-domain.pddl, NAME-problem.pddl, NAME-grammar.twl2 and NAME-walkthrough.txt, and writes NAME.json: episodes as
lists of {command, text, admissible, won}, admissible commands joined by line breaks. Commands are drawn at random, mostly among those that do something; one in twenty is no command
at all. The first episode is the walkthrough; the second one of a household looks around before it goes anywhere. Names are those of ALFWorld's Demangler where ids have `_bar_` in them.
"""
import json
import os
import random
import sys

import textworld
from textworld.envs.pddl import PddlEnv

EPISODES, STEPS = 8, 30
here = os.path.dirname(os.path.abspath(__file__))


def read_game(name):
    whole = os.path.join(here, name + ".tw-pddl")
    if os.path.exists(whole):
        return json.load(open(whole))
    read = lambda end: open(os.path.join(here, name + end)).read()
    walkthrough = read("-walkthrough.txt").splitlines()
    return {"pddl_domain": read("-domain.pddl"), "pddl_problem": read("-problem.pddl"), "grammar": read("-grammar.twl2"), "walkthrough": walkthrough}


def open_game(name):
    env = PddlEnv(textworld.EnvInfos(admissible_commands=True, won=True))
    env.load(read_game(name))
    infos = env._entity_infos
    if any("_bar_" in info.id for info in infos.values()):
        from alfworld.agents.utils.misc import Demangler

        demangler = Demangler(game_infos=infos)
        for info in infos.values():
            info.name = demangler.demangle_alfred_name(info.id)
    return env


def play(name, rng):
    env = open_game(name)
    openings = {(household, 1): ["look", "inventory", "look"] for household in ("household-current", "household-classic")}
    episodes = []
    for episode in range(EPISODES):
        state = env.reset()
        lines = [line(None, state)]
        planned = list(env.walkthrough) if episode == 0 else openings.get((name, episode), [])[:]
        while len(lines) <= STEPS and not state["won"]:
            command = planned.pop(0) if planned else choose(state["admissible_commands"], rng)
            state, _, _ = env.step(command)
            lines.append(line(command, state))
        episodes.append(lines)
    return episodes


def choose(commands, rng):
    if rng.random() < 0.05:
        return "dance with the moon"
    idle = ("look", "inventory", "help", "examine", "wait", "survey", "go to")
    doing = [command for command in commands if not command.startswith(idle)]
    return rng.choice(doing if doing and rng.random() < 0.6 else commands)


def line(command, state):
    return {"command": command, "text": state["feedback"], "admissible": "\n".join(state["admissible_commands"]), "won": bool(state["won"])}


if __name__ == "__main__":
    names = list(sys.argv[1:])  # TextWorld changes sys.argv
    for name in names:
        episodes = play(name, random.Random(name))
        with open(os.path.join(here, name + ".json"), "w") as file:
            json.dump({"made": "by make-goldens.py with textworld " + textworld.__version__, "episodes": episodes}, file, indent=0)
            file.write("\n")
        print(name, sum(len(lines) - 1 for lines in episodes), "steps,", sum(lines[-1]["won"] for lines in episodes), "won")
