# Completes the arguments of feedfall in bash. Generated from the declarations of its options.

# Sets the options of a command, and how its other arguments are completed.
_feedfall_command() {
  case $1 in
    list) options='--page-size --first-page --timeout --proxy --pages --where --json --help' kind=name ;;
    check) options='--page-size --first-page --timeout --proxy --json --exit-code --notify --help' kind=name ;;
    search) options='--page-size --first-page --timeout --proxy --layout --columns --min-column-width --order --group --card --spacing --inset --mouse --no-mouse --color --no-color --animations --no-animations --theme --images --video-output --search --tabs --refresh --player --video-height --autoplay --no-autoplay --preview --preview-limit --sponsorblock --sponsorblock-categories --dearrow --sponsorblock-server --mpv-config --no-mpv-config --watched-after --unwatched-only --no-unwatched-only --new-source --state-folder --download-folder --help' ;;
    play) options='--page-size --first-page --timeout --proxy --layout --columns --min-column-width --order --group --card --spacing --inset --mouse --no-mouse --color --no-color --animations --no-animations --theme --images --video-output --search --tabs --refresh --player --video-height --autoplay --no-autoplay --preview --preview-limit --sponsorblock --sponsorblock-categories --dearrow --sponsorblock-server --mpv-config --no-mpv-config --watched-after --unwatched-only --no-unwatched-only --new-source --state-folder --download-folder --help' kind=name ;;
    find) options='--limit --json --help' ;;
    download) options='--queue --list --remove --json --yes --download-folder --page-size --first-page --timeout --proxy --help' ;;
    render) options='--page-size --first-page --timeout --proxy --layout --columns --min-column-width --order --group --card --spacing --inset --size --keys --help' kind=name ;;
    probe) options='--json --base --help' kind=file ;;
    import) options='--help' kind=file ;;
    export) options='--with-secrets --help' ;;
    queue) options='--json --yes --help' values='list add remove clear' kind=first ;;
    history) options='--json --help' ;;
    mark) options='--pages --where --page-size --first-page --timeout --proxy --help' values='watched unwatched starred unstarred queued unqueued hidden unhidden' kind=first ;;
    doctor) options='--help' ;;
    help) options='--help' values='start keys commands sources services filters playing downloads records configuration terminals files troubleshooting libraries list check search play find download render probe import export queue history mark doctor help' kind=first ;;
    *) options='--page-size --first-page --timeout --proxy --layout --columns --min-column-width --order --group --card --spacing --inset --mouse --no-mouse --color --no-color --animations --no-animations --theme --images --video-output --search --tabs --refresh --player --video-height --autoplay --no-autoplay --preview --preview-limit --sponsorblock --sponsorblock-categories --dearrow --sponsorblock-server --mpv-config --no-mpv-config --watched-after --unwatched-only --no-unwatched-only --new-source --state-folder --download-folder --version --help' kind=name ;;
  esac
}

# Sets the values of an option; fails if it has none.
_feedfall_value() {
  case $1 in
    --page-size) ;;
    --first-page) ;;
    --timeout) ;;
    --proxy) ;;
    --layout) values='waterfall grid list carousel justified' ;;
    --columns) ;;
    --min-column-width) ;;
    --order) values='shortest left-to-right right-to-left tolerance=4' ;;
    --group) values='feed day channel none' ;;
    --card) values='modern classic' ;;
    --spacing) ;;
    --inset) ;;
    --theme) values='auto dark light terminal gruvbox nord solarized catppuccin dracula' ;;
    --images) values='auto kitty sixel cells symbols none' ;;
    --video-output) values='auto kitty sixel cells off' ;;
    --search) values='youtube peertube archive ccc commons dailymotion soundcloud bilibili niconico podcasts everywhere' ;;
    --tabs) values='sources tags' ;;
    --refresh) ;;
    --player) values='terminal window' ;;
    --video-height) ;;
    --preview) values='off selected' ;;
    --preview-limit) ;;
    --sponsorblock) values='off mark skip' ;;
    --sponsorblock-categories) ;;
    --dearrow) values='off titles' ;;
    --sponsorblock-server) ;;
    --watched-after) ;;
    --new-source) ;;
    --state-folder) kind=folder ;;
    --download-folder) kind=folder ;;
    --pages) ;;
    --where) ;;
    --limit) ;;
    --remove) ;;
    --size) ;;
    --keys) ;;
    --base) ;;
    *) return 1 ;;
  esac
}

# Prints a word as it stands after an opening quotation mark, or without one.
_feedfall_quote() {
  local word=$2
  case $1 in
    \") word=${word//\\/\\\\} word=${word//\"/\\\"} word=${word//\$/\\\$} word=${word//\`/\\\`} ;;
    \') word=${word//\'/\'\\\'\'} ;;
    *)
      printf -v word %q "$word"
      if [[ $2 == '~'* ]]; then word=${word#\\}; fi
      ;;
  esac
  printf %s "$word"
}

_feedfall() {
  # Names may have blanks, and readline cuts words at colons, so the line is split here.
  local line=${COMP_LINE:0:COMP_POINT} IFS=$' \t\n' quote= word= character
  local -i i cut=0 expands=0
  local -a words=()
  for ((i = 0; i < ${#line}; i++)); do
    character=${line:i:1}
    if [[ $quote ]]; then
      if [[ $character == "$quote" ]]; then
        quote=
      elif [[ $character == \\ && $quote == '"' ]]; then
        word+=${line:i+1:1} i+=1
      else
        if [[ $quote == '"' && $character == [$\`] ]]; then expands=1; fi
        word+=$character
      fi
      continue
    fi
    case $character in
      [\'\"]) quote=$character ;;
      \\) word+=${line:i+1:1} i+=1 ;;
      [[:space:]])
        if [[ $word ]]; then words+=("$word"); fi
        word= cut=0 expands=0
        ;;
      *)
        word+=$character
        # Readline replaces only the text after this character.
        if [[ $character == [:=] && $COMP_WORDBREAKS == *$character* ]]; then cut=${#word}; fi
        # It replaces this one, too.
        if [[ $character == @ && $COMP_WORDBREAKS == *@* ]]; then cut=${#word}-1; fi
        if [[ $character == [$\`] ]]; then expands=1; fi
        ;;
    esac
  done
  # Only bash knows the value of a variable.
  if ((expands)); then
    compopt -o bashdefault -o default
    COMPREPLY=()
    return
  fi

  local command=${words[1]-} option= prefix= current=$word
  case $command in
    list | check | search | play | find | download | render | probe | import | export | queue | history | mark | doctor | help) ;;
    *) command= ;;
  esac
  if [[ $word == --*=* ]]; then
    option=${word%%=*} prefix=$option= current=${word#*=}
  elif ((${#words[@]} > 1)); then
    option=${words[-1]}
  fi

  local options= values= kind=
  local -a candidates=() found=()
  if ! _feedfall_value "$option"; then
    _feedfall_command "$command"
    if [[ $word == -* ]]; then
      values=$options kind=
    elif ((${#words[@]} > 2)) && [[ $kind == first ]]; then
      values=
    elif [[ ! $command ]] && ((${#words[@]} == 1)); then
      values='list check search play find download render probe import export queue history mark doctor help'
    fi
  fi
  candidates=($values)
  if [[ $kind == name ]]; then mapfile -t -O ${#candidates[@]} candidates < <(feedfall __names 2>/dev/null); fi
  for word in "${candidates[@]}"; do
    if [[ $word == "$current"* ]]; then found+=("$word"); fi
  done
  local -i names=${#found[@]}
  case $kind in
    name | file) mapfile -t -O $names found < <(compgen -f -- "$current") ;;
    folder) mapfile -t -O $names found < <(compgen -d -- "$current") ;;
  esac
  # A name counts before a folder of the same name, for which readline would take it.
  if [[ ${#found[@]} == 2 && ${found[0]} == "${found[1]}" ]]; then unset 'found[1]'; fi
  if ((names == 0 || ${#found[@]} > 1)) && [[ $kind && $kind != first ]]; then compopt -o filenames -o noquote; fi
  COMPREPLY=()
  for word in "${found[@]}"; do
    word=$prefix$word
    COMPREPLY+=("$(_feedfall_quote "$quote" "${word:cut}")")
  done
}

complete -F _feedfall feedfall
