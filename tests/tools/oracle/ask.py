"""Asking `civl` for a verdict, and the judge about it."""
import json
import os
import subprocess

from faith import believed
from judge import BUDGET, Verdict, judge
from parser import parse
from reader import Unreadable
from show import show_program

LIMIT = 3


class Asker:
    """Verdicts of one program after the other; `path` is where their text is put."""

    def __init__(self, civl, folder, name="p.bpl"):
        self.civl, self.path, self.asked = civl, os.path.join(folder, name), 0

    def verdict(self, text):
        """(verdict, answer)."""
        self.asked += 1
        with open(self.path, "w", newline="") as file:
            file.write(text)
        command = [self.civl, "verify", "--strict", "--no-cache", "--jobs", "1", "--time-limit", str(LIMIT), "--format", "json", self.path]
        done = subprocess.run(command, capture_output=True, text=True)
        try:
            answer = json.loads(done.stdout)
        except json.JSONDecodeError:
            return "crash", {"stderr": done.stderr[-300:]}
        return answer["verdict"], answer

    def wrong(self, declarations, seed=0, steps=BUDGET, text=None):
        """(what, where, in words) if the program is verified and should not be; also the judge's notes."""
        said, answer = self.verdict(text or show_program(declarations))
        if said != "verified":
            return said, None, None
        why = believed(declarations, answer)
        if why:
            return said, (why, "", why), None
        notes = judge(declarations, seed, steps)
        return said, notes.wrong, notes


def judge_file(path, seed=0):
    """The judge's word on a file, whatever civl says."""
    with open(path, newline="") as file:
        text = file.read()
    try:
        return judge(parse(text), seed)
    except Unreadable as why:
        verdict = Verdict()
        verdict.doubt(f"unreadable: {why}")
        return verdict
