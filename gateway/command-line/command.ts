import { type Command, Option } from 'commander'
import { print } from './output/print.ts'
import type { Answer, Service } from './service.ts'

/** What all commands for the running service share. */
export type CommandContext = {
  readonly service: Service
  readonly isJson: () => boolean
}

export type Options = Readonly<Record<string, unknown>>

/**
 * Makes a command call an operation and print its answer. The input consists of the command's options, and of its arguments under
 * their names in the help (`<id>` is `id`).
 */
export const callsOperation = (
  command: Command,
  name: string,
  { service, isJson }: CommandContext,
  inputOf: (options: Options) => object = (options) => options,
): Command =>
  command.action(async () => {
    const { json: _, ...options } = command.opts<Options>()
    const places = command.registeredArguments.map((argument) => argument.name())
    const values = Object.fromEntries(places.map((place, n) => [place, command.processedArgs[n]]))
    print(await service.ask(name, { ...inputOf(options), ...values }), isJson())
  })

/** Follows an operation until it ends. Resolves to null if Ctrl-C ends it, which is how a feed is meant to end. */
export const followOperation = async (
  { service }: CommandContext,
  name: string,
  input: object,
  onProgress: (progress: Answer) => void,
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
