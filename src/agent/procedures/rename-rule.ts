// Owns: the ways to rename files that a goal can ask for, and the new name of a file by each. Pure.
import type { GoalText, Phrase } from './goal-text.ts';

export type RenameRule =
  | { readonly kind: 'pattern'; readonly from: string; readonly to: string }
  | { readonly kind: 'prefix' | 'suffix'; readonly text: string }
  | { readonly kind: 'extension'; readonly to: string }
  | { readonly kind: 'replace'; readonly from: string; readonly to: string }
  | { readonly kind: 'case'; readonly to: 'lower' | 'upper' }
  | { readonly kind: 'number'; readonly by: 'date' | 'name' };

const WORD = '(?:§[pqg]|[^\\s|,§]+)';
const ALL_NAMES =
  '(?:(?:in|of|from|to|at the (?:start|beginning|front|end) of|before|after) )?(?:all )?(?:of )?(?:the |their |its )?(?:file ?|folder ?)?names?(?: of)?';
const SIGNS: Readonly<Record<string, string>> = {
  space: ' ',
  spaces: ' ',
  blanks: ' ',
  underscore: '_',
  underscores: '_',
  dash: '-',
  dashes: '-',
  hyphen: '-',
  hyphens: '-',
  dots: '.',
  nothing: '',
};

/** Takes the way to rename out of a goal; undefined when it says none. */
export function takeRule(text: GoalText): RenameRule | undefined {
  return takePattern(text) ?? takeAdded(text) ?? takeReplaced(text) ?? takeOther(text);
}

/** Two patterns with one star each; ".txt" means "*.txt" in a goal about files. */
function takePattern(text: GoalText): RenameRule | undefined {
  if (!text.has('(?:rename|change) .*(?:to|into|as|with) §[gp].*') || text.has('extensions?'))
    return undefined;
  const many = text.has('(?:files|all|every|each)');
  const fits = (phrase: Phrase): boolean => {
    const said = phrase.get('value') ?? '';
    return isPattern(said) || (many && isExtension(said));
  };
  const from = text.take('(?:(?:from|matching) )?(?<value>§[gp])(?: files?)?', fits);
  const to = from && text.take('(?:to|into|as|with) (?<value>§[gp])(?: files?)?', fits);
  const star = (one = ''): string => (one.includes('*') ? one : `*${one}`);
  const [old, renamed] = [star(from?.get('value')), star(to?.get('value'))];
  return to && old !== renamed ? { kind: 'pattern', from: old, to: renamed } : undefined;
}

function takeAdded(text: GoalText): RenameRule | undefined {
  const value = `(?<value>${WORD})`;
  const prefix =
    text.take(`(?:by )?(?:add|adding|put|with|use) (?:the |a )?prefix ${value}(?: (?:to|for|before))?`) ??
    text.take(`prefix (?=.*with)`) ??
    text.take(
      `(?:add|put) ${value} (?:to the (?:start|beginning|front) of|before|in front of)(?: (?:all |each |every )*(?:the |their )?(?:file ?)?names?(?: of)?)?`,
    );
  if (prefix && prefix.get('value') === undefined) {
    const with_ = text.take(`with ${value}`);
    return with_ && { kind: 'prefix', text: with_.get('value') ?? '' };
  }
  if (prefix) return { kind: 'prefix', text: prefix.get('value') ?? '' };
  const suffix =
    text.take(`(?:by )?(?:add|adding|put|with|use) (?:the |a )?suffix ${value}(?: (?:to|for|after))?`) ??
    text.take(
      `(?:add|append|put) ${value} (?:to the end of|after)(?: (?:all |each |every )*(?:the |their )?(?:file ?)?names?(?: of)?)?`,
    );
  return suffix && { kind: 'suffix', text: suffix.get('value') ?? '' };
}

function takeReplaced(text: GoalText): RenameRule | undefined {
  const signs = Object.keys(SIGNS).join('|');
  const spaces =
    text.take(
      `(?:replace|change|convert|turn|substitute) (?:all )?(?:the )?(?<from>${signs}|§q) (?:with|by|to|into) (?:an? )?(?<to>${signs}|§q) ${ALL_NAMES}`,
    ) ??
    text.take(
      `(?:replace|change|convert) (?:all )?(?:the )?(?<from>${signs}|§q) ${ALL_NAMES} (?:with|by|to|into) (?<to>${signs}|§q)`,
    ) ??
    text.take(
      `(?:remove|delete|strip) (?:all )?(?:the )?(?<from>${signs}|§q) (?:from|in) (?:all )?(?:the )?(?:file ?)?names?(?: of)?`,
    ) ??
    text.take(`(?:replacing|changing) (?<from>${signs}|§q) (?:with|by|to) (?<to>${signs}|§q)`);
  if (!spaces) return undefined;
  const from = spaces.get('from') ?? '';
  const to = spaces.get('to') ?? '';
  return { kind: 'replace', from: SIGNS[from.toLowerCase()] ?? from, to: SIGNS[to.toLowerCase()] ?? to };
}

function takeOther(text: GoalText): RenameRule | undefined {
  const extension =
    text.take(`(?:change|set|rename) (?:the )?(?:file )?extensions? of`) &&
    text.take('(?:from §p )?to (?<to>§p|[a-z0-9]{1,5})');
  if (extension) return { kind: 'extension', to: (extension.get('to') ?? '').replace(/^\./, '') };
  const letters =
    text.take(
      `(?:(?:to|into|in|using) )(?:all )?(?<case>lower|upper)[- ]?(?:case)?(?: (?:letters|names))?`,
    ) ?? text.take(`(?:make|turn|convert|change) (?=.*names?.*(?:lower|upper))`);
  const either =
    letters?.get('case') ?? (letters && text.take('(?<case>lower|upper)[- ]?case(?: letters)?')?.get('case'));
  if (either) {
    text.take('(?:make|turn|convert|change)');
    text.take(`(?:all )?(?:the )?(?:file ?)names?(?: of)?|(?:all )?(?:the )?names?(?: of)?`);
    return { kind: 'case', to: either.toLowerCase() as 'lower' };
  }
  const numbered =
    text.take('(?:number|enumerate)(?= (?!of(?![^\\s|])))') ??
    text.take('(?:with|using|by adding) (?:consecutive |running )?numbers');
  if (!numbered) return undefined;
  const by = text.take(
    '(?:in order of |ordered by |sorted by |by )(?:their |its )?(?<by>date|name|age|time|modification date)',
  );
  return { kind: 'number', by: by?.get('by') === 'name' || by === undefined ? 'name' : 'date' };
}

function isPattern(text: string): boolean {
  return /^[^*/\\\p{C}]*\*[^*/\\\p{C}]*$/u.test(text) && text.length > 1 && text.length <= 200;
}

function isExtension(text: string): boolean {
  return /^\.[\p{L}\p{N}]+$/u.test(text);
}

/** Whether a pattern fits a name. */
export function fitsPattern(name: string, pattern: string): boolean {
  const [head = '', tail = ''] = pattern.split('*');
  return name.length >= head.length + tail.length && name.startsWith(head) && name.endsWith(tail);
}

/** The new name of a file; `at` is its place among `count` files. */
export function newName(name: string, rule: RenameRule, at: number, count: number): string {
  const dot = name.lastIndexOf('.');
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  switch (rule.kind) {
    case 'pattern': {
      const [head = '', tail = ''] = rule.from.split('*');
      const [newHead = '', newTail = ''] = rule.to.split('*');
      return `${newHead}${name.slice(head.length, name.length - tail.length)}${newTail}`;
    }
    case 'prefix':
      return `${rule.text}${name}`;
    case 'suffix':
      return `${stem}${rule.text}${extension}`;
    case 'extension':
      return `${stem}.${rule.to}`;
    case 'replace':
      return `${stem.replaceAll(rule.from, rule.to)}${extension}`;
    case 'case':
      return rule.to === 'lower' ? name.toLowerCase() : `${stem.toUpperCase()}${extension}`;
    case 'number':
      return `${String(at + 1).padStart(Math.max(3, String(count).length), '0')}-${name}`;
  }
}
