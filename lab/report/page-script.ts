/** What draws the charts in the reader's browser. Plain JavaScript: it is put into the page as it stands. */
export const pageScript = /* script */ `(() => {
  'use strict';
  const charts = JSON.parse(document.getElementById('charts').textContent);
  const number = new Intl.NumberFormat('en', { maximumSignificantDigits: 4 });
  const share = (value) => number.format(100 * value) + ' %';
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const seriesColours = 7;
  let plots = [];

  function seriesOf(chart) {
    const series = [{ label: chart.xLabel, value: (_, value) => value == null ? '' : number.format(value) }];
    const data = [chart.x];
    const bands = [];
    const format = chart.unit === 'share' ? share : number.format;
    chart.series.forEach((line, index) => {
      const stroke = colour('--line-' + ((line.colour ?? index) % seriesColours)) + (line.faint ? '80' : '');
      const few = !line.faint && line.values.filter((value) => value != null).length <= 40;
      data.push(line.values);
      series.push({
        label: line.faint ? '' : line.label, stroke, width: line.faint ? 1 : line.colour === undefined ? 2 : 3, spanGaps: true, points: { show: few, size: 5, fill: stroke },
        value: (_, value) => value == null ? '' : format(value),
      });
      if (!line.band) return;
      for (const side of [line.band.high, line.band.low]) {
        data.push(side);
        series.push({ label: '', stroke: 'transparent', width: 0, spanGaps: true, points: { show: false } });
      }
      bands.push({ series: [series.length - 2, series.length - 1], fill: stroke + '2e' });
    });
    return { series, data, bands };
  }

  function rangeOf(unit, low, high) {
    if (unit === 'share' && low >= 0 && high <= 1) return [0, high > 0.5 ? 1 : Math.max(0.01, high * 1.1)];
    if (low === high) return low < 0 ? [1.2 * low, 0] : [0, low === 0 ? 1 : 1.2 * low];
    return uPlot.rangeNum(low, high, 0.1, true);
  }

  // As many digits as tell the ticks apart, and powers of ten where numbers are small.
  function labelsOf(ticks) {
    const largest = Math.max(...ticks.map((tick) => Math.abs(tick)));
    const gap = ticks.length > 1 ? ticks[1] - ticks[0] : largest;
    const maximumSignificantDigits = Math.min(9, Math.max(3, 2 + Math.ceil(Math.log10(largest / gap) || 0)));
    const notation = largest >= 1000 ? 'compact' : largest > 0 && largest < 0.001 ? 'scientific' : 'standard';
    const format = new Intl.NumberFormat('en', { notation, maximumSignificantDigits });
    return ticks.map((tick) => tick === 0 ? '0' : format.format(tick));
  }

  function draw(holder) {
    const chart = charts[Number(holder.dataset.chart)];
    const { series, data, bands } = seriesOf(chart);
    const grid = { stroke: colour('--grid'), width: 1 };
    const axis = { stroke: colour('--muted'), grid, ticks: grid, font: '12px system-ui, sans-serif' };
    holder.replaceChildren();
    const plot = new uPlot({
      width: Math.max(240, holder.clientWidth), height: 210, series, bands,
      scales: {
        x: { time: false },
        y: { range: (_, low, high) => rangeOf(chart.unit, low, high) },
      },
      axes: [
        { ...axis, space: 60, values: (_, ticks) => labelsOf(ticks) },
        { ...axis, size: (_, labels) => Math.max(58, 18 + 7.2 * Math.max(0, ...(labels ?? []).map((label) => label.length))), values: (_, ticks) => chart.unit === 'share' ? ticks.map(share) : labelsOf(ticks) },
      ],
      cursor: { sync: { key: chart.xLabel }, points: { show: false } },
    }, data, holder);
    holder.querySelectorAll('.u-legend .u-series').forEach((row, index) => { row.hidden = index > 0 && series[index].label === ''; });
    plots.push([plot, holder]);
  }

  function drawAll() {
    for (const [plot] of plots) plot.destroy();
    plots = [];
    document.querySelectorAll('[data-chart]').forEach(draw);
  }

  drawAll();
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll);
  new ResizeObserver(() => {
    for (const [plot, holder] of plots) plot.setSize({ width: Math.max(240, holder.clientWidth), height: 210 });
  }).observe(document.querySelector('main'));
})();
`;
