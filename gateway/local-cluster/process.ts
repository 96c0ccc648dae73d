import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { createInterface } from 'node:readline'

/** A child program, which ends with this one at the latest. */
export type Running = {
  readonly pid: number
  readonly isRunning: () => boolean
  /** Resolves to how it ended: its exit code, or the name of the signal that killed it. */
  readonly ended: Promise<number | string>
  /** Asks it to end, and kills it after this time. */
  readonly stop: (withinMs: number) => Promise<void>
}

/** Starts a program. Its output is appended to a file, and each line is passed to `onLine`. */
export const startProgram = (
  command: readonly string[],
  options: {
    readonly env: NodeJS.ProcessEnv
    readonly logFile: string
    readonly onLine?: (line: string) => void
  },
): Running => {
  const [program, ...args] = [...tether(), ...command]
  // In a process group of its own: Ctrl-C goes to this program, which stops all of them in order.
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

/** On Linux the kernel ends a child whose parent dies in any way; elsewhere the child may be left behind. */
const tether = (): readonly string[] => {
  const command = ['setpriv', '--pdeathsig', 'TERM', '--']
  knowsTether ??= spawnSync(command[0]!, [...command.slice(1), 'true']).status === 0
  return knowsTether ? command : []
}

let knowsTether: boolean | null = null
