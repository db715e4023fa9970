import type { WordSlot, WordTable } from './word-table.ts';

/** The script that teaches fish what can stand where, and what it is for. */
export function fishScript({ slots, paths, valued }: WordTable): string {
  return `# Completion of oka in fish, made by: oka completion fish

set -g __oka_paths ${paths.map((path) => `'${path}'`).join(' ')}
set -g __oka_valued ${valued.join(' ')}

function __oka_fill
    switch $argv[1]
${slots.map(toCase).join('\n')}
    end
end

function __oka_complete
    set -l named ''
    set -l option ''
    set -g __oka_place
    set -l given 0
    set -l tokens (commandline -opc)
    for word in $tokens[2..]
        if test -n "$option"
            test "$option" = -C; and set -g __oka_place -C (string replace -r '^~' $HOME -- $word)
            set option ''
        else if contains -- $word $__oka_valued
            set option $word
        else if string match -q -- '-*' $word
            continue
        else if test $given = 0; and contains -- (string trim -- "$named $word") $__oka_paths
            set named (string trim -- "$named $word")
        else
            set given (math $given + 1)
        end
    end
    set -l current (commandline -ct)
    if test -n "$option"
        __oka_fill "$named|$option"
    else if string match -q -- '--*=*' $current
        set option (string replace -r '=.*' '' -- $current)
        __oka_fill "$named|$option" | string replace -r -- '^' "$option="
    else if string match -q -- '-*' $current
        __oka_fill "$named|-"
    else
        __oka_fill "$named|$given"
    end
end

function __oka_things
    set -l tokens (commandline -opc)
    command $tokens[1] $__oka_place complete $argv[1] 2>/dev/null
end

complete -c oka -e
complete -c oka -f -k -a '(__oka_complete)'
`;
}

function toCase({ path, place, words, things, files }: WordSlot): string {
  const filled = [
    ...(words.length === 0 ? [] : [`printf '%s\\t%s\\n' ${words.map(toCandidate).join(' ')}`]),
    ...(things === undefined ? [] : [`__oka_things ${things}`]),
    ...(files === undefined ? [] : [FILES[files]]),
  ];
  return [`        case '${path}|${place}'`, ...filled.map((line) => `            ${line}`)].join('\n');
}

const FILES = {
  files: '__fish_complete_path (commandline -ct)',
  folders: '__fish_complete_directories (commandline -ct)',
} as const;

function toCandidate({ word, about }: WordSlot['words'][number]): string {
  return `${word} '${about.replaceAll(/['\\]/g, (character) => `\\${character}`)}'`;
}
