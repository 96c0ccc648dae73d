import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { portsFrom } from '../gateway/local-cluster/ports.ts'
import type { Cleanup } from './cleanup.ts'
import { sumOf } from './sum.ts'

/** A program that ends with the bench. */
export type Child = {
  readonly pid: number
  /** What it has written so far. */
  readonly output: () => string
  readonly exited: Promise<number | null>
  readonly stop: () => Promise<void>
}

export type ChildOptions = {
  /** Added to the environment of the bench. */
  readonly env?: Readonly<Record<string, string>>
  readonly stopSignal?: NodeJS.Signals
}

export const startChild = (
  cleanup: Cleanup,
  [program, ...args]: readonly string[],
  { env, stopSignal = 'SIGTERM' }: ChildOptions = {},
): Child => {
  const stop = cleanup.defer(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill(stopSignal)
    const killing = setTimeout(() => child.kill('SIGKILL'), stopMsMax)
    await exited
    clearTimeout(killing)
  })
  const child = spawn(program!, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const keep = (chunk: Buffer): void => {
    output = (output + chunk).slice(-outputCharsMax)
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const exited = new Promise<number | null>((resolve) => {
    child.once('close', resolve)
    child.once('error', (error) => {
      output += error.message
      resolve(null)
    })
  })
  return { pid: child.pid ?? 0, output: () => output, exited, stop }
}

/** Runs a program to its end and resolves to its output. */
export const run = async (
  cleanup: Cleanup,
  command: readonly string[],
  options?: ChildOptions,
): Promise<string> => {
  const child = startChild(cleanup, command, options)
  const code = await child.exited
  await child.stop()
  if (code !== 0) throw new Error(`${command.slice(0, 4).join(' ')} failed: ${child.output().trim()}`)
  return child.output()
}

const stopMsMax = 15_000
const outputCharsMax = 64 * 1024

/** Waits until a check neither throws nor returns false, as long as `child` lives. */
export const until = async (child: Child, check: () => boolean | Promise<boolean>): Promise<void> => {
  let hasExited = false
  void child.exited.then(() => {
    hasExited = true
  })
  const deadline = performance.now() + startMsMax
  while (performance.now() < deadline && !hasExited) {
    try {
      if (await check()) return
    } catch {
      // The child does not listen yet.
    }
    await sleep(20)
  }
  throw new Error(`a program ${hasExited ? 'ended' : 'was not ready in time'}: ${child.output().trim()}`)
}

/** A service reads what it has before it is ready, and the bench gives it much. */
const startMsMax = 300_000

export const temporaryDirectory = (
  cleanup: Cleanup,
  name: string,
): { path: string; remove: () => Promise<void> } => {
  let path: string | null = null
  const remove = cleanup.defer(() => {
    if (path !== null) rmSync(path, { recursive: true, force: true, maxRetries: 3 })
  })
  path = mkdtempSync(join(tmpdir(), `payments-bench-${name}-`))
  return { path, remove }
}

export const freePort = async (): Promise<number> => (await portsFrom(0, 1))[0]!

/** Resident memory of a process and those that it started; a page that several share counts once. */
export const residentBytes = (pid: number): number =>
  withChildren(pid).reduce((sum, one) => sum + rollup(one, 'Pss'), 0)

/** Resident memory without pages of files, which the system drops when it needs their room. */
export const ownBytes = (pid: number): number =>
  residentBytes(pid) - withChildren(pid).reduce((sum, one) => sum + rollup(one, 'Pss_File'), 0)

const withChildren = (pid: number): readonly number[] => [pid, ...childrenOf(pid).flatMap(withChildren)]

/** Processor time that a process and those that it started have taken. */
export type CpuTime = {
  /** In steps of ten milliseconds. */
  readonly userUs: number
  readonly systemUs: number
  /** The exact time of each thread, by its number. */
  readonly threads: ReadonlyMap<number, number>
}

export const cpuTime = (pid: number): CpuTime => {
  const fields = (read(`/proc/${pid}/stat`).split(') ')[1] ?? '').split(' ')
  const threads = namesIn(`/proc/${pid}/task`).map((thread) => {
    const nanoseconds = read(`/proc/${pid}/task/${thread}/schedstat`).split(' ')[0]
    return [Number(thread), Number(nanoseconds) / 1000] as const
  })
  const own = { userUs: 10_000 * Number(fields[11]), systemUs: 10_000 * Number(fields[12]), threads }
  const all = [own, ...childrenOf(pid).map(cpuTime)]
  const sumOf = (name: 'userUs' | 'systemUs'): number => all.reduce((sum, time) => sum + time[name], 0)
  return {
    userUs: sumOf('userUs'),
    systemUs: sumOf('systemUs'),
    threads: new Map(all.flatMap(({ threads }) => [...threads])),
  }
}

/** Exact processor time of all threads of a process and those that it started, in microseconds. */
export const threadsUs = (pid: number): number => sumOf(cpuTime(pid).threads.values())

/** Processor time that a process has taken, in steps of ten milliseconds. */
export const cpuMs = (pid: number): number => {
  const { userUs, systemUs } = cpuTime(pid)
  return (userUs + systemUs) / 1000
}

const namesIn = (path: string): readonly string[] => {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}

const childrenOf = (pid: number): readonly number[] =>
  namesIn('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((other) => parentOf(other) === pid)

const parentOf = (pid: number): number =>
  Number(/^PPid:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0)
const rollup = (pid: number, name: 'Pss' | 'Pss_File'): number =>
  1024 * Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0)

/** Empty when the process has ended. */
const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
