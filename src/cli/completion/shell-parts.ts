// Owns: what bash and zsh say in the same words. Does not own: how each of them hands words over.
import type { WordTable } from './word-table.ts';

/** What can be named, and which options the next word belongs to. */
export function knownWords({ paths, valued }: WordTable): string {
  return `  local paths='|${paths.join('|')}|' valued=' ${valued.join(' ')} '`;
}

/** Takes one word of the line: an option, its value, a part of the command's name, or an argument. */
export const TAKE_WORD = `    if [[ -n $option ]]; then
      [[ $option == -C ]] && place=(-C "\${word/#\\~/$HOME}")
      option=''
    elif [[ $valued == *" $word "* ]]; then
      option=$word
    elif [[ $word == -* ]]; then
      continue
    elif [[ $given == 0 && $paths == *"|\${named:+$named }$word|"* ]]; then
      named="\${named:+$named }$word"
    else
      given=$((given + 1))
    fi`;

/** Asks what can stand where the line ends. */
export const FILL_PLACE = `  if [[ -n $option ]]; then
    _oka_fill "$named|$option"
  elif [[ $current == -* ]]; then
    _oka_fill "$named|-"
  else
    _oka_fill "$named|$given"
  fi`;
