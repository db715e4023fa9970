/** One sample of Prometheus' text format. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"(?:,|$)/y;
const TYPES = ['counter', 'gauge', 'histogram'];

/** Reads the text format strictly: every line is a comment of a known kind or a sample of a declared metric. */
export function parsePrometheus(text: string): readonly Sample[] {
  const types = new Map<string, string>();
  const samples: Sample[] = [];
  for (const line of text.split('\n')) {
    if (line === '') continue;
    if (line.startsWith('#')) noteComment(line, types);
    else samples.push(sampleOf(line, types));
  }
  return samples;
}

function noteComment(line: string, types: Map<string, string>): void {
  const [, kind, name = '', type = ''] = line.split(' ');
  if (kind === 'TYPE') {
    if (!TYPES.includes(type) || types.has(name)) throw new Error(`bad type: ${line}`);
    types.set(name, type);
  } else if (kind !== 'HELP' && kind !== 'UNIT') throw new Error(`bad comment: ${line}`);
}

function sampleOf(line: string, types: ReadonlyMap<string, string>): Sample {
  const [, name, labelText = '', valueText] = SAMPLE.exec(line) ?? [];
  if (name === undefined || valueText === undefined) throw new Error(`not a sample: ${line}`);
  const base = name.replace(/_(bucket|sum|count)$/, '');
  if (!types.has(name) && types.get(base) !== 'histogram') throw new Error(`no type: ${line}`);
  const value = valueText === '+Inf' ? Number.POSITIVE_INFINITY : Number(valueText);
  if (Number.isNaN(value)) throw new Error(`not a number: ${line}`);
  return { name, labels: labelsOf(labelText), value };
}

function labelsOf(text: string): Readonly<Record<string, string>> {
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  while (LABEL.lastIndex < text.length) {
    const [, name, value] = LABEL.exec(text) ?? [];
    if (name === undefined || value === undefined || name in labels) throw new Error(`bad labels: ${text}`);
    labels[name] = value.replaceAll(/\\(.)/g, (_, one: string) => (one === 'n' ? '\n' : one));
  }
  return labels;
}
