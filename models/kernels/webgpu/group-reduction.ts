/** Of a group that takes a number of each thread together. */
export const threads = 256;
const abreast = 16;

export const declareHeld = `var<workgroup> held : array<f32, ${threads}>;`;

/** Takes together what the threads of a group have in `mine`, in two steps and always in the same order; all then have it under that name. Takes `lane` and `held`. */
export function reduceGroup(name: string, combine: (left: string, right: string) => string): string {
  return `
    held[lane] = mine;
    workgroupBarrier();
    if (lane < ${abreast}) {
      for (var other = lane + ${abreast}; other < ${threads}; other = other + ${abreast}) { mine = ${combine('mine', 'held[other]')}; }
      held[lane] = mine;
    }
    workgroupBarrier();
    var ${name} = held[0];
    for (var other = 1; other < ${abreast}; other = other + 1) { ${name} = ${combine(name, 'held[other]')}; }
    workgroupBarrier();`;
}
