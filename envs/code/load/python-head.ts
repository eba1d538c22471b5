/**
 * The imports that stand ahead of a Python program of a suite. Graders of APPS, TACO and LiveCodeBench run programs behind such a head, and
 * starter code such as `class Solution: def f(self, xs: List[int])` depends on it. `from builtins import *` comes last: `from math import *`
 * and `from operator import *` hide `pow`, `abs` and others.
 */
export const pythonHead = `import sys, os, io, re, json, time, string, random, copy, math, cmath, bisect, heapq, itertools, functools, operator
import collections, statistics, datetime, decimal, fractions, array, queue, types, typing, dataclasses, enum
from typing import *
from string import *
from collections import *
from heapq import *
from bisect import *
from copy import *
from math import *
from random import *
from statistics import *
from itertools import *
from functools import *
from operator import *
from datetime import *
from decimal import Decimal, getcontext
from fractions import Fraction
from dataclasses import dataclass, field
from enum import Enum
from io import StringIO, BytesIO
from builtins import *
import copy, datetime, random, time
inf = math.inf
sys.setrecursionlimit(50_000)
`;
