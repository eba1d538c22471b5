import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CurvePoint } from '../../../lab/compare/learning-curve.ts';
import { chartOf } from '../../../lab/report/chart.ts';
import { escapeHtml, jsonMarkup, markup } from '../../../lab/report/markup.ts';
import { runCharts, undrawnFigures } from '../../../lab/report/run-charts.ts';
import { makeMetrics, makeTimings } from './make-run-content.ts';

const head = { title: 't', note: 'n', unit: 'number', xLabel: 'steps' } as const;
const points = fc.array(fc.record({ x: fc.nat(5000), y: fc.integer({ min: -100, max: 100 }) }), {
  minLength: 1,
  maxLength: 600,
});

describe('chartOf', () => {
  it('puts lines with different positions on one axis', () => {
    const chart = chartOf(head, [
      [
        'a',
        [
          { x: 1, y: 10 },
          { x: 3, y: 30 },
        ],
      ],
      ['b', [{ x: 2, y: 0.123456, low: 0, high: 1 }]],
      ['nothing', []],
    ]);
    expect(chart).toEqual({
      ...head,
      x: [1, 2, 3],
      series: [
        { label: 'a', values: [10, undefined, 30] },
        {
          label: 'b',
          values: [undefined, 0.1235, undefined],
          band: { low: [undefined, 0, undefined], high: [undefined, 1, undefined] },
        },
      ],
    });
    expect(chartOf(head, [['nothing', []]])).toBeUndefined();
  });

  it('thins long lines within their values, increasing along the axis up to their end', () => {
    fc.assert(
      fc.property(points, (line: readonly CurvePoint[]) => {
        const chart = chartOf(head, [['a', line]]);
        const values = chart?.series[0]?.values ?? [];
        const ys = line.map((point) => point.y);
        expect(values.length).toBeLessThanOrEqual(160);
        expect(values.length).toBe(chart?.x.length);
        expect(chart?.x).toEqual(chart?.x.toSorted((a, b) => a - b));
        expect(chart?.x.at(-1)).toBe(Math.max(...line.map((point) => point.x)));
        for (const value of values) {
          expect(value).toBeGreaterThanOrEqual(Math.min(...ys));
          expect(value).toBeLessThanOrEqual(Math.max(...ys));
        }
      }),
    );
  });

  it('preserves the mean of a line when it thins evenly', () => {
    const line = Array.from({ length: 1600 }, (_, x) => ({ x, y: x % 7 }));
    const values = chartOf(head, [['a', line]])?.series[0]?.values ?? [];
    const mean = (numbers: readonly (number | undefined)[]): number =>
      numbers.reduce<number>((sum, value) => sum + (value ?? 0), 0) / numbers.length;
    expect(values).toHaveLength(160);
    expect(mean(values)).toBeCloseTo(mean(line.map(({ y }) => y)), 2);
  });
});

describe('runCharts', () => {
  it('draws speed by step, and only what was measured', () => {
    const charts = runCharts(makeMetrics(10), makeTimings(10));
    const speed = charts.find((chart) => chart.title === 'Speed');
    expect(speed?.x).toEqual(Array.from({ length: 10 }, (_, index) => 100 * (index + 1)));
    expect(speed?.series.map(({ label, values }) => [label, values[0]])).toEqual([
      ['iteration', 50],
      ['rollout', 100],
    ]);
    expect(charts.map(({ title }) => title)).not.toContain('Faults');
    expect(charts.find(({ title }) => title === 'Success')?.series.map(({ label }) => label)).toEqual([
      'training episodes',
      'dev, choice, greedy',
    ]);
    expect(runCharts([], [])).toEqual([]);
  });

  it('draws success by family when tasks are drawn by success, and says that training tasks are harder', () => {
    const drawn = makeMetrics(4).map((line) =>
      line.kind === 'iteration'
        ? { ...line, figures: { ...line.figures, 'tasks/success/heat': 0.25, 'tasks/success/cool': 0.5 } }
        : line,
    );
    const byFamily = runCharts(drawn, []).find(({ title }) => title === 'Success by family');
    expect(byFamily?.series.map(({ label, values }) => [label, values[0]])).toEqual([
      ['cool', 0.5],
      ['heat', 0.25],
    ]);
    const noteOf = (metrics: Parameters<typeof runCharts>[0]): string | undefined =>
      runCharts(metrics, []).find(({ title }) => title === 'Success')?.note;
    expect(noteOf(drawn)).toContain('Training may draw families in other shares');
    expect(noteOf(makeMetrics(4))).not.toContain('harder');
    const last = drawn.findLast((line) => line.kind === 'iteration');
    expect(last === undefined ? [] : undrawnFigures(last)).toEqual(['other/figure']);
  });

  it('draws success by family of a long run as means of several iterations', () => {
    const drawn = makeMetrics(40).map((line) =>
      line.kind === 'iteration'
        ? {
            ...line,
            figures: {
              'tasks/success/heat': line.iteration % 2,
              ...(line.iteration === 7 ? { 'tasks/success/cool': 1 } : {}),
            },
          }
        : line,
    );
    const byFamily = runCharts(drawn, []).find(({ title }) => title === 'Success by family');
    expect(byFamily?.note).toContain('the last 4 iterations');
    expect(
      byFamily?.series.map(({ label, values }) => [
        label,
        values.filter((value) => value !== undefined && value !== null && !Number.isNaN(value)).length,
      ]),
    ).toEqual([
      ['cool', 1],
      ['heat', 37],
    ]);
    expect(
      new Set(
        byFamily?.series[1]?.values.filter((value) => typeof value === 'number' && !Number.isNaN(value)),
      ),
    ).toEqual(new Set([0.5]));
  });

  it('leaves other figures to the table', () => {
    const last = makeMetrics(1).find((line) => line.kind === 'iteration');
    expect(last === undefined ? [] : undrawnFigures(last)).toEqual(['other/figure']);
  });
});

describe('markup', () => {
  it('escapes inserted text and keeps markup', () => {
    const name = `<b a="x" c='y'>&`;
    expect(
      markup`<i title="${name}">${markup`<u>${name}</u>`}${[markup`<p>`, markup`</p>`]}${3}</i>`.html,
    ).toBe(
      '<i title="&lt;b a=&quot;x&quot; c=&#39;y&#39;&gt;&amp;"><u>&lt;b a=&quot;x&quot; c=&#39;y&#39;&gt;&amp;</u><p></p>3</i>',
    );
  });

  it('lets no text open or close an element', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(escapeHtml(text)).not.toMatch(/[<>"']/);
        const json = jsonMarkup({ [text]: text }).html;
        expect(json).not.toMatch(/[<>&\u2028]/);
        expect(JSON.parse(json)).toEqual({ [text]: text });
      }),
    );
  });
});
