@testable import FeedfallProgram

/// The scripts with which bash, zsh and fish complete arguments. They call only `feedfall __names`.
struct Completions {
  private struct Command {
    var name: String
    var abstract: String
    var options: [CommandDeclaration.Argument]
    var positional: [CommandDeclaration.Argument]

    init(_ name: String, _ declaration: CommandDeclaration) {
      (self.name, abstract) = (name, declaration.abstract)
      options = declaration.arguments.filter { $0.kind != .positional }
      positional = declaration.arguments.filter { $0.kind == .positional }
    }
  }

  private let browser: Command
  private let commands: [Command]

  init() throws {
    browser = Command("", try CommandDeclaration.browser.get())
    commands = try CommandDeclaration.all().map { Command($0.name, $0.command) }
  }

  func scripts() -> [(path: String, text: String)] {
    [("feedfall.bash", bash), ("_feedfall", zsh), ("feedfall.fish", fish)].map {
      ("Resources/completions/\($0)", $1)
    }
  }

  private var names: [String] { commands.map(\.name) }

  // MARK: bash

  private var bash: String {
    """
    # Completes the arguments of feedfall in bash. Generated from the declarations of its options.

    # Sets the options of a command, and how its other arguments are completed.
    _feedfall_command() {
      case $1 in
    \((commands + [browser]).map(Self.bash).joined(separator: "\n"))
      esac
    }

    # Sets the values of an option; fails if it has none.
    _feedfall_value() {
      case $1 in
    \(bashValues)
        *) return 1 ;;
      esac
    }

    # Prints a word as it stands after an opening quotation mark, or without one.
    _feedfall_quote() {
      local word=$2
      case $1 in
        \\") word=${word//\\\\/\\\\\\\\} word=${word//\\"/\\\\\\"} word=${word//\\$/\\\\\\$} word=${word//\\`/\\\\\\`} ;;
        \\') word=${word//\\'/\\'\\\\\\'\\'} ;;
        *)
          printf -v word %q "$word"
          if [[ $2 == '~'* ]]; then word=${word#\\\\}; fi
          ;;
      esac
      printf %s "$word"
    }

    _feedfall() {
      # Names may have blanks, and readline cuts words at colons, so the line is split here.
      local line=${COMP_LINE:0:COMP_POINT} IFS=$' \\t\\n' quote= word= character
      local -i i cut=0 expands=0
      local -a words=()
      for ((i = 0; i < ${#line}; i++)); do
        character=${line:i:1}
        if [[ $quote ]]; then
          if [[ $character == "$quote" ]]; then
            quote=
          elif [[ $character == \\\\ && $quote == '"' ]]; then
            word+=${line:i+1:1} i+=1
          else
            if [[ $quote == '"' && $character == [$\\`] ]]; then expands=1; fi
            word+=$character
          fi
          continue
        fi
        case $character in
          [\\'\\"]) quote=$character ;;
          \\\\) word+=${line:i+1:1} i+=1 ;;
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
            if [[ $character == [$\\`] ]]; then expands=1; fi
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
        \(names.joined(separator: " | "))) ;;
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
          values='\(names.joined(separator: " "))'
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

    """
  }

  private static func bash(_ command: Command) -> String {
    let options = command.options.map { "--\($0.name)" }.joined(separator: " ")
    let kind = command.positional.first.map { bash($0.completion, isFirst: true) } ?? ""
    return "    \(command.name.isEmpty ? "*" : command.name)) options='\(options)'\(kind) ;;"
  }

  private static func bash(_ completion: CommandDeclaration.Argument.Completion, isFirst: Bool) -> String {
    switch completion {
    case .any: ""
    case .choice(let values): " values='\(values.joined(separator: " "))'\(isFirst ? " kind=first" : "")"
    case .folder: " kind=folder"
    case .file: " kind=file"
    case .name: " kind=name"
    }
  }

  private var bashValues: String {
    var seen = Set<String>()
    let options = ([browser] + commands).flatMap(\.options).filter { $0.kind == .option }
    return options.filter { seen.insert($0.name).inserted }.map { option in
      "    --\(option.name))\(Self.bash(option.completion, isFirst: false)) ;;"
    }.joined(separator: "\n")
  }

  // MARK: zsh

  private var zsh: String {
    """
    #compdef feedfall
    # Completes the arguments of feedfall in zsh. Generated from the declarations of its options.

    _feedfall_names() {
      local -a names=("${(@f)$(_call_program names feedfall __names 2>/dev/null)}") expl
      local result=1
      names=("${(@)names:#}")
      _wanted names expl 'source or view' compadd -a names && result=0
      _files && result=0
      return result
    }

    _feedfall_first() {
      local -a commands=(
    \(commands.map { "    \(Self.quoted("\($0.name):\($0.abstract.phrase)"))" }.joined(separator: "\n"))
      )
      local result=1
      (( CURRENT == 2 )) && _describe -t commands command commands && result=0
      _feedfall_names && result=0
      return result
    }

    _feedfall() {
      local curcontext=$curcontext command=
      if (( CURRENT > 2 )); then
        command=$words[2]
      fi
      case $command in
    \(commands.map { "    \($0.name)) shift words; (( CURRENT-- ))\n\(Self.zsh($0))" }.joined(separator: "\n"))
        *)
    \(Self.zsh(browser))
      esac
    }

    _feedfall "$@"

    """
  }

  private static func zsh(_ command: Command) -> String {
    let options = command.options.map { option -> String in
      let inverse = option.name.hasPrefix("no-") ? String(option.name.dropFirst(3)) : "no-\(option.name)"
      let excluded = command.options.contains { $0.name == inverse } ? "(--\(option.name) --\(inverse))" : ""
      let help = option.meaning.replacing("\\", with: "\\\\").replacing("[", with: "\\[").replacing("]", with: "\\]")
      let value = option.kind == .option ? "=" : ""
      let action = option.kind == .option ? ":\(option.shownValue.lowercased()):\(zsh(option.completion))" : ""
      // A colon in the name of the value would end it.
      return quoted("\(excluded)--\(option.name)\(value)[\(help)]\(action)")
    }
    let positional = command.positional.enumerated().map { number, argument in
      let action = command.name.isEmpty ? "_feedfall_first" : zsh(argument.completion)
      return quoted("\(argument.isRepeating ? "*" : "\(number + 1)"):\(argument.shownValue.lowercased()):\(action)")
    }
    return "      _arguments \\\n" + (options + positional).map { "        \($0)" }.joined(separator: " \\\n") + " ;;"
  }

  private static func zsh(_ completion: CommandDeclaration.Argument.Completion) -> String {
    switch completion {
    case .any: " "
    case .choice(let values): "(\(values.joined(separator: " ")))"
    case .folder: "_files -/"
    case .file: "_files"
    case .name: "_feedfall_names"
    }
  }

  /// In bash and zsh.
  private static func quoted(_ text: String) -> String { "'\(text.replacing("'", with: "'\\''"))'" }

  // MARK: fish

  private var fish: String {
    """
    # Completes the arguments of feedfall in fish. Generated from the declarations of its options.

    # Whether the command is the given one; without one, whether it is none.
    function __feedfall_in
        set -l words (commandline -opc)
        if set -q words[2]; and contains -- $words[2] \(names.joined(separator: " "))
            test "$words[2]" = "$argv"
        else
            test -z "$argv"
        end
    end

    function __feedfall_is_at
        test (count (commandline -opc)) -eq $argv[1]
    end

    \(commands.map { "complete -c feedfall -n '__feedfall_is_at 1' -a \($0.name) -d \(Self.fish($0.abstract.phrase))" }.joined(separator: "\n"))
    \(([browser] + commands).flatMap(Self.fish).joined(separator: "\n"))

    """
  }

  private static func fish(_ command: Command) -> [String] {
    let start = "complete -c feedfall -n '__feedfall_in \(command.name)'"
    let options = command.options.map { option in
      "\(start) -l \(option.name)\(option.kind == .option ? " -x\(fish(option.completion))" : "") -d \(fish(option.meaning))"
    }
    let argument = command.positional.first?.completion ?? .any
    let positional =
      switch argument {
      case .any: "\(start) -f"
      case .choice: "\(start) -f\n\(start.dropLast()); and __feedfall_is_at 2' -f\(fish(argument))"
      case .folder, .file: ""
      case .name: "\(start)\(fish(argument)) -d 'source or view'"
      }
    return options + (positional.isEmpty ? [] : [positional])
  }

  private static func fish(_ completion: CommandDeclaration.Argument.Completion) -> String {
    switch completion {
    case .any, .file: ""
    case .choice(let values): " -a '\(values.joined(separator: " "))'"
    case .folder: " -a '(__fish_complete_directories (commandline -ct))'"
    case .name: " -a '(feedfall __names 2>/dev/null)'"
    }
  }

  private static func fish(_ text: String) -> String {
    "'\(text.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
  }
}
