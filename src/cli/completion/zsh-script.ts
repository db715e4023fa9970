import type { WordSlot, WordTable } from './word-table.ts';

/** The script that teaches zsh what can stand where, and what it is for. */
export function zshScript({ slots, paths, valued }: WordTable): string {
  return `#compdef oka
# Completion of oka in zsh, made by: oka completion zsh

_oka_fill() {
  case "$1" in
${slots.map(toCase).join('\n')}
  esac
}

_oka() {
  local word option='' named='' things='' files='' current="\${words[CURRENT]}"
  local paths='|${paths.join('|')}|'
  local valued=' ${valued.join(' ')} '
  local -i given=0
  local -a candidates place
  for word in "\${(@)words[2,CURRENT-1]}"; do
    if [[ -n $option ]]; then
      [[ $option == -C ]] && place=(-C "\${word/#\\~/$HOME}")
      option=''
    elif [[ $valued == *" $word "* ]]; then
      option=$word
    elif [[ $word == -* ]]; then
      continue
    elif [[ $given == 0 && $paths == *"|\${named:+$named }$word|"* ]]; then
      named="\${named:+$named }$word"
    else
      given+=1
    fi
  done
  if [[ -z $option && $current == --*=* ]]; then
    option="\${current%%=*}"
    compset -P '*='
  fi
  if [[ -n $option ]]; then
    _oka_fill "$named|$option"
  elif [[ $current == -* ]]; then
    _oka_fill "$named|-"
  else
    _oka_fill "$named|$given"
  fi
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
