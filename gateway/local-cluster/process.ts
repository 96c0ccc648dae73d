import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { createInterface } from 'node:readline'

/** A program that runs beside this one, and ends at the latest with it. */
export type Running = {
  readonly pid: number
  readonly isRunning: () => boolean
  /** Resolves to how it ended: an exit code, or the name of the signal that killed it. */
  readonly ended: Promise<number | string>
  /** Asks it to end, and kills it where it takes longer than this. */
  readonly stop: (withinMs: number) => Promise<void>
}

/** Starts a program whose output goes to the end of a file, each line also to `onLine`. */
export const startProgram = (
  command: readonly string[],
  options: {
    readonly env: NodeJS.ProcessEnv
    readonly logFile: string
    readonly onLine?: (line: string) => void
  },
): Running => {
  const [program, ...args] = [...tether(), ...command]
  // In a group of its own: Ctrl-C is for the program that started it, which stops all in their order.
  const child: ChildProcess = spawn(program!, args, {
    env: options.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const log = createWriteStream(options.logFile, { flags: 'a' })
  for (const output of [child.stdout!, child.stderr!]) {
    output.pipe(log, { end: false })
    if (options.onLine !== undefined) createInterface({ input: output }).on('line', options.onLine)
  }
  let isRunning = true
  const ended = new Promise<number | string>((resolve) => {
    const end = (how: number | string): void => {
      isRunning = false
      log.end()
      resolve(how)
    }
    child.once('close', (code, signal) => end(signal ?? code ?? 0))
    child.once('error', (error) => end(error.message))
  })
  return {
    pid: child.pid ?? 0,
    isRunning: () => isRunning,
    ended,
    stop: async (withinMs) => {
      child.kill('SIGTERM')
      const killing = setTimeout(() => child.kill('SIGKILL'), withinMs)
      await ended
      clearTimeout(killing)
    },
  }
}

/** On Linux the kernel ends a program whose parent died, however that died; elsewhere it may be left behind. */
const tether = (): readonly string[] => {
  const command = ['setpriv', '--pdeathsig', 'TERM', '--']
  knowsTether ??= spawnSync(command[0]!, [...command.slice(1), 'true']).status === 0
  return knowsTether ? command : []
}

let knowsTether: boolean | null = null
