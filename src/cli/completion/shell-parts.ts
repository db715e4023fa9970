// Owns: shell code shared by the bash and zsh scripts.
import type { WordTable } from './word-table.ts';

/** All command paths, and the options that take a value. */
export function knownWords({ paths, valued }: WordTable): string {
  return `  local paths='|${paths.join('|')}|' valued=' ${valued.join(' ')} '`;
}

/** Classifies one word of the line: option, option value, part of the command name, or argument. */
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

/** Collects the candidates for the word being completed. */
export const FILL_PLACE = `  if [[ -n $option ]]; then
    _oka_fill "$named|$option"
  elif [[ $current == -* ]]; then
    _oka_fill "$named|-"
  else
    _oka_fill "$named|$given"
  fi`;
