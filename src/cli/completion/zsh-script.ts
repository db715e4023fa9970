import { FILL_PLACE, knownWords, TAKE_WORD } from './shell-parts.ts';
import type { WordSlot, WordTable } from './word-table.ts';

/** The script that teaches zsh what can stand where, and what it is for. */
export function zshScript(table: WordTable): string {
  return `#compdef oka
# Completion of oka in zsh, made by: oka completion zsh

_oka_fill() {
  case "$1" in
${table.slots.map(toCase).join('\n')}
  esac
}

_oka() {
  local word option='' named='' things='' files='' current="\${words[CURRENT]}"
${knownWords(table)}
  local -i given=0
  local -a candidates place
  for word in "\${(@)words[2,CURRENT-1]}"; do
${TAKE_WORD}
  done
  if [[ -z $option && $current == --*=* ]]; then
    option="\${current%%=*}"
    compset -P '*='
  fi
${FILL_PLACE}
  if [[ -n $things ]]; then
    for word in "\${(@f)$("\${words[1]}" "\${place[@]}" complete "$things" 2>/dev/null)}"; do
      [[ -n $word ]] && candidates+=("\${word/$'\\t'/:}")
    done
  fi
  local -i found=1
  (( $#candidates )) && _describe -V 'oka' candidates && found=0
  case $files in
    files) _files && found=0 ;;
    folders) _files -/ && found=0 ;;
  esac
  return found
}

if [[ "\${zsh_eval_context[-1]}" == loadautofunc ]]; then
  _oka "$@"
else
  compdef _oka oka
fi
`;
}

function toCase({ path, place, words, things, files }: WordSlot): string {
  const filled = [
    ...(words.length === 0 ? [] : [`candidates=(${words.map(toCandidate).join(' ')})`]),
    ...(things === undefined ? [] : [`things=${things}`]),
    ...(files === undefined ? [] : [`files=${files}`]),
  ];
  return `    '${path}|${place}') ${filled.join('; ')} ;;`;
}

function toCandidate({ word, about }: WordSlot['words'][number]): string {
  const told = about === '' ? '' : `:${about}`;
  return `'${word}${told.replaceAll("'", "'\\''")}'`;
}
