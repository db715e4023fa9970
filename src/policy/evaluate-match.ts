// Owns: whether a row matches a call. I1 Total: every call gets a result, nothing throws. I2 What matches for certain also
// matches perhaps, so an allow row never applies where the same row with ask or deny would not.
import { RISKS } from '../engine/index.ts';
import { foldName, foldText, type Json, matchText } from '../kernel/index.ts';
import type { CallFacts, FactPath } from './call-facts.ts';
import type { PolicyCondition, PolicyDecision } from './types.ts';

/** How certain it is that a condition matches. */
const FALSE = 0;
const PERHAPS = 1;
export const TRUE = 2;
export type Truth = typeof FALSE | typeof PERHAPS | typeof TRUE;

/** A compiled condition. */
export type Evaluate = (facts: CallFacts) => Truth;

/** Whether a row applies: allow needs a certain match; ask and deny need only a possible one. */
export function applies(decision: PolicyDecision, truth: Truth): boolean {
  return decision === 'allow' ? truth === TRUE : truth !== FALSE;
}

/** All conditions together are as certain as the least certain one. */
export function evaluateAll(conditions: readonly Evaluate[], facts: CallFacts): Truth {
  let lowest: Truth = TRUE;
  for (const evaluate of conditions) {
    const truth = evaluate(facts);
    if (truth < lowest) lowest = truth;
    if (lowest === FALSE) break;
  }
  return lowest;
}

/** Compiles a condition: splits globs and folds texts once. */
export function compileCondition(condition: PolicyCondition): Evaluate {
  const evaluate = compile(condition);
  if (!('negated' in condition && condition.negated)) return evaluate;
  return (facts) => (TRUE - evaluate(facts)) as Truth;
}

function compile(condition: PolicyCondition): Evaluate {
  switch (condition.about) {
    case 'path':
      return compilePath(condition.glob, ({ paths }) => paths);
    case 'cwd':
      return compilePath(condition.glob, ({ folders }) => folders);
    case 'any':
      return () => TRUE;
    case 'timeout':
      return compileTimeout(condition.atMost);
    case 'git':
      return compileGit(condition.value);
    case 'host':
      return compileHost(condition.pattern);
    case 'argv':
      return compileArgv(condition.words);
    case 'input':
      return compileInput(condition.field, condition.value);
    case 'side effect':
      return ({ request }) => sure(request.tool.sideEffect === condition.value);
    case 'risk': {
      const lowest = RISKS.indexOf(condition.atLeast);
      return ({ request }) => sure(RISKS.indexOf(request.tool.annotations.risk) >= lowest);
    }
    case 'agent':
    case 'state':
    case 'kind': {
      const { about, value } = condition;
      return ({ request }) => {
        const actual = request.run[about];
        return actual === undefined || actual === '' ? PERHAPS : sure(actual === value);
      };
    }
  }
}

function compilePath(
  glob: string,
  pathsOf: (facts: CallFacts) => readonly (FactPath | undefined)[],
): Evaluate {
  const written = glob.split('/');
  const folded = written.map((segment) => (segment === '**' ? segment : foldName(segment)));
  const parents = parentFolders(folded);
  return (facts) =>
    amongAll(pathsOf(facts), (path) => {
      if (path === undefined) return PERHAPS;
      if (matchPath(written, path.written)) return TRUE;
      return matchPath(folded, path.folded) || isParentFolder(parents, path.folded) ? PERHAPS : FALSE;
    });
}

function compileHost(pattern: string): Evaluate {
  const fits = pattern.startsWith('*.')
    ? (host: string) => host.length >= pattern.length && host.endsWith(pattern.slice(1))
    : (host: string) => host === pattern;
  return ({ hosts }) => amongAll(hosts, (host) => (host === undefined ? PERHAPS : sure(fits(host))));
}

function compileArgv(words: readonly string[]): Evaluate {
  return (facts) => {
    const argv = facts.at(['argv']);
    if (!Array.isArray(argv) || argv.length === 0) return PERHAPS;
    const truths = words.map((word, i) =>
      i < argv.length ? compareWord(argv[i] as Json, word, i === 0) : FALSE,
    );
    return Math.min(...truths) as Truth;
  };
}

function compileTimeout(atMost: number): Evaluate {
  return (facts) => {
    const seconds = facts.at(['timeout_seconds']);
    return typeof seconds === 'number' ? sure(seconds <= atMost) : PERHAPS;
  };
}

/** A program called by a path, or under another case, may be git. */
function compileGit(wanted: 'read' | 'write'): Evaluate {
  return ({ request, argv }) => {
    if (request.tool.gitClass === undefined || argv === undefined) return PERHAPS;
    const isGit = compareWord(argv[0] as string, 'git', true);
    return isGit === TRUE ? sure(request.tool.gitClass(argv) === wanted) : isGit;
  };
}

function compileInput(field: readonly (string | number)[], value: string): Evaluate {
  const isProgram = field.length === 2 && field[0] === 'argv' && field[1] === 0;
  return (facts) => {
    const actual = facts.at(field);
    if (actual === undefined) return PERHAPS;
    return amongAll(Array.isArray(actual) ? actual : [actual], (one) => compareWord(one, value, isProgram));
  };
}

/** A program called by a path that ends with its name is a possible match. */
function compareWord(actual: Json, wanted: string, isProgram: boolean): Truth {
  if (actual !== null && typeof actual === 'object') return PERHAPS;
  const text = typeof actual === 'string' ? actual : JSON.stringify(actual);
  if (text === wanted) return TRUE;
  const folded = foldText(wanted);
  if (foldText(text) === folded) return PERHAPS;
  if (!isProgram) return FALSE;
  const name = foldName(text.slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1));
  return name === folded || name === `${folded}.exe` ? PERHAPS : FALSE;
}

/** TRUE if every value matches, FALSE if none does, else PERHAPS; PERHAPS without values. */
function amongAll<Value>(values: readonly Value[], ask: (value: Value) => Truth): Truth {
  const truths = new Set(values.map(ask));
  return truths.size === 1 ? ([...truths][0] as Truth) : PERHAPS;
}

function sure(holds: boolean): Truth {
  return holds ? TRUE : FALSE;
}

/** Whether a path matches a glob, segment by segment: `**` matches any number of segments, including none. */
function matchPath(glob: readonly string[], path: readonly string[]): boolean {
  let g = 0;
  let p = 0;
  let stars = -1;
  let resume = 0;
  while (p < path.length) {
    const wanted = glob[g];
    if (wanted === '**') {
      stars = g;
      resume = p;
      g += 1;
    } else if (wanted !== undefined && matchText(wanted, path[p] as string, true)) {
      g += 1;
      p += 1;
    } else if (stars >= 0) {
      g = stars + 1;
      resume += 1;
      p = resume;
    } else return false;
  }
  while (glob[g] === '**') g += 1;
  return g === glob.length;
}

/** The folders above everything that a glob matches: its part before the first `**`, or before its last name. */
function parentFolders(glob: readonly string[]): readonly string[] {
  const stars = glob.indexOf('**');
  return glob.slice(0, stars < 0 ? -1 : stars);
}

/** Whether a path is one of these folders, or the workspace itself. */
function isParentFolder(parents: readonly string[], path: readonly string[]): boolean {
  return (
    path.length <= parents.length &&
    path.every((segment, i) => matchText(parents[i] as string, segment, true))
  );
}
