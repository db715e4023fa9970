import { FILL_PLACE, knownWords, TAKE_WORD } from './shell-parts.ts';
import type { WordSlot, WordTable } from './word-table.ts';

/** The script that teaches bash what can stand where. */
export function bashScript(table: WordTable): string {
  return `# Completion of oka in bash, made by: oka completion bash

_oka_fill() {
  case "$1" in
${table.slots.map(toCase).join('\n')}
  esac
}

_oka() {
  local word current='' option='' named='' candidates='' things='' files='' given=0 words=() place=()
${knownWords(table)}
  # --option=value is three words here.
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    [[ $word == '=' ]] || words+=("$word")
  done
  if [[ \${COMP_WORDS[COMP_CWORD]} != '=' ]]; then
    current=\${words[\${#words[@]}-1]}
    words=("\${words[@]:0:\${#words[@]}-1}")
  fi
  for word in "\${words[@]}"; do
${TAKE_WORD}
  done
${FILL_PLACE}
  COMPREPLY=()
  for word in $candidates; do
    [[ $word == "$current"* ]] && COMPREPLY+=("$word")
  done
  if [[ -n $things ]]; then
    while IFS=$'\\t' read -r word _; do
      [[ $word == "$current"* ]] && COMPREPLY+=("$word")
    done < <("\${COMP_WORDS[0]}" "\${place[@]}" complete "$things" 2>/dev/null)
  fi
  if [[ -n $files ]]; then
    compopt -o filenames 2>/dev/null
    while IFS= read -r word; do
      COMPREPLY+=("$word")
    done < <(compgen "-$files" -- "$current")
  fi
}

complete -F _oka oka
`;
}

function toCase({ path, place, words, things, files }: WordSlot): string {
  const filled = [
    ...(words.length === 0 ? [] : [`candidates='${words.map(({ word }) => word).join(' ')}'`]),
    ...(things === undefined ? [] : [`things=${things}`]),
    // The letter that compgen takes.
    ...(files === undefined ? [] : [`files=${files === 'folders' ? 'd' : 'f'}`]),
  ];
  return `    '${path}|${place}') ${filled.join(' ')} ;;`;
}
