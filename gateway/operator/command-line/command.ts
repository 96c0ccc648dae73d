// The command line: one file for each group of commands, and how their answers are printed. Most commands call the
// operation of the same name in the running service.
import { createInterface } from 'node:readline'
import { type Command, Option } from 'commander'
import { print } from './output/print.ts'
import { type Answer, CommandFailure, type Service } from './service.ts'

/** What all commands for the running service share. */
export type CommandContext = {
  readonly service: Service
  readonly isJson: () => boolean
}

export type Options = Readonly<Record<string, unknown>>

/**
 * The action of a command that calls the operation of its own name and prints the answer. The input consists of
 * the command's options, and of its arguments under their names in the help (`<id>` is `id`). `before` may throw
 * to end the command.
 */
export const callsOperation =
  (
    { service, isJson }: CommandContext,
    inputOf: (options: Options) => object = (options) => options,
    before: (options: Options, ...given: readonly unknown[]) => Promise<void> = async () => undefined,
  ) =>
  async (...given: readonly unknown[]): Promise<void> => {
    // Commander gives the arguments, the options and the command.
    const command = given.at(-1) as Command
    const { json: _, ...options } = command.opts<Options>()
    const values = command.registeredArguments.map((argument, n) => [argument.name(), given[n]])
    await before(options, ...given)
    const input = { ...inputOf(options), ...Object.fromEntries(values) }
    print(await service.ask(nameOf(command), input), isJson())
  }

/** Asks for a yes, which can also come from a pipe. Fails without one. */
export const confirm = async (question: string): Promise<void> => {
  process.stderr.write(`${question} [y/N] `)
  for await (const line of createInterface(process.stdin)) {
    if (/^(y|yes|s|sim)$/i.test(line.trim())) return
    break
  }
  throw new CommandFailure('nothing was done: it was not confirmed')
}

/** `webhooks list`: the names of the command and of those above it, without the program's. */
const nameOf = (command: Command): string =>
  command.parent?.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name()

/** Follows an operation until it ends. Resolves to null if Ctrl-C ends it, which is how a feed is meant to end. */
export const followOperation = async (
  { service }: CommandContext,
  name: string,
  input: object,
  onProgress: (progress: Answer) => void | Promise<void>,
): Promise<Answer | null> => {
  const leaving = new AbortController()
  const leave = (): void => leaving.abort()
  for (const signal of endings) process.once(signal, leave)
  try {
    return await service.follow(name, input, onProgress, leaving.signal)
  } catch (error) {
    if (leaving.signal.aborted) return null
    throw error
  } finally {
    for (const signal of endings) process.off(signal, leave)
  }
}

const endings = ['SIGINT', 'SIGTERM'] as const

/** The `--environment` option. */
export const environmentOption = (description = 'of the two environments of a company'): Option =>
  new Option('--environment <environment>', description).choices(['sandbox', 'production'])
