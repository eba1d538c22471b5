import type { Shape } from './data.ts';

/**
 * The training script to improve: its settings and their effects. The right value of each setting depends on
 * the data.
 */
const settings = {
  model: ['"mean"', '"linear"', '"nearest"'],
  features: ['"plain"', '"squares"', '"products"', '"waves"'],
  steps: ['3', '30', '300'],
  neighbours: ['1', '7', '60'],
} as const;

type Settings = Readonly<Record<keyof typeof settings, string>>;

/** The initial script, which predicts the mean. */
export const plainSettings: Settings = { model: '"mean"', features: '"plain"', steps: '3', neighbours: '60' };

/** Good settings for data of each shape, known from the generation of the data. */
export const goodSettings: Readonly<Record<Shape, Settings>> = {
  plane: { model: '"linear"', features: '"plain"', steps: '300', neighbours: '7' },
  bowl: { model: '"linear"', features: '"squares"', steps: '300', neighbours: '7' },
  product: { model: '"linear"', features: '"products"', steps: '300', neighbours: '7' },
  season: { model: '"nearest"', features: '"plain"', steps: '300', neighbours: '7' },
  ring: { model: '"linear"', features: '"squares"', steps: '300', neighbours: '7' },
  checkers: { model: '"linear"', features: '"products"', steps: '300', neighbours: '7' },
};

/** The settings that can be chosen, in the order of the script. */
export const settingNames = Object.keys(settings) as readonly (keyof Settings)[];
export const choicesOf = (name: keyof Settings): readonly string[] => settings[name];

/** The script with these settings. */
export const writeScript = ({ model, features, steps, neighbours }: Settings): string => `MODEL = ${model}
FEATURES = ${features}
STEPS = ${steps}
NEIGHBOURS = ${neighbours}

import math

def expand(row):
    if FEATURES == "squares":
        return row + [value * value for value in row]
    if FEATURES == "products":
        return row + [a * b for i, a in enumerate(row) for b in row[i + 1:]]
    if FEATURES == "waves":
        return row + [math.sin(value) for value in row]
    return row

def fit_linear(rows, targets):
    width = len(rows[0])
    weights, bias = [0.0] * width, 0.0
    for step in range(STEPS):
        slopes, shift = [0.0] * width, 0.0
        for row, target in zip(rows, targets):
            error = bias + sum(w * value for w, value in zip(weights, row)) - target
            shift += error
            for i, value in enumerate(row):
                slopes[i] += error * value
        bias -= 0.1 * shift / len(rows)
        weights = [w - 0.1 * slope / len(rows) for w, slope in zip(weights, slopes)]
    return lambda row: bias + sum(w * value for w, value in zip(weights, row))

def fit_nearest(rows, targets):
    def predict(row):
        near = sorted(range(len(rows)), key=lambda i: sum((a - b) ** 2 for a, b in zip(rows[i], row)))[:NEIGHBOURS]
        return sum(targets[i] for i in near) / len(near)
    return predict

def fit_predict(rows, targets, queries):
    rows, queries = [expand(row) for row in rows], [expand(row) for row in queries]
    if MODEL == "linear":
        predict = fit_linear(rows, targets)
    elif MODEL == "nearest":
        predict = fit_nearest(rows, targets)
    else:
        mean = sum(targets) / len(targets)
        predict = lambda row: mean
    return [predict(query) for query in queries]
`;
