import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import type { Cleanup } from './cleanup.ts'
import { type Generator, type Load, type LoadResult, newTag, timeoutSeconds } from './generator.ts'
import { run, temporaryDirectory } from './processes.ts'
import { type LoadRequest, markHolder } from './workloads.ts'

/** wrk (https://github.com/wg/wrk) with `bench/wrk.lua`; null where it is not installed. */
export const findWrk = async (
  cleanup: Cleanup,
  threads = Math.max(1, Math.floor(availableParallelism() / 2)),
): Promise<Generator | null> => {
  // It prints its version and then ends as if its arguments were wrong, which they are.
  const version = await run(cleanup, ['wrk', '--version']).catch((error: Error) => error.message)
  const name = /wrk \S*\d\S*/.exec(version)?.[0]
  if (name === undefined || !version.includes('Will Glozer')) return null
  return { name: `${name}, ${threads} threads`, load: (cleanup, load) => loadWithWrk(cleanup, load, threads) }
}

const loadWithWrk = async (cleanup: Cleanup, load: Load, threads: number): Promise<LoadResult> => {
  const { path, remove } = temporaryDirectory(cleanup, 'requests')
  const file = join(path, 'requests')
  writeFileSync(file, load.requests.map((request) => `${onTheWire(request)}\0`).join(''))
  const command = [
    'wrk',
    `--threads=${Math.min(threads, load.connections)}`,
    `--connections=${load.connections}`,
    `--duration=${load.seconds}s`,
    `--timeout=${timeoutSeconds}s`,
    `--script=${script}`,
    load.origin,
    '--',
    file,
    markHolder,
    newTag(),
  ]
  const origins = [load.origin, ...(load.otherOrigins ?? [])].map((origin) => new URL(origin).port)
  const output = await run(cleanup, command, { env: { PORTS: origins.join(' ') } })
  await remove()
  const result = /^RESULT (.*)$/m.exec(output)?.[1]
  if (result === undefined) throw new Error(`wrk ended without a result: ${output}`)
  return JSON.parse(result) as LoadResult
}

const script = resolve(import.meta.dirname, '../../bench/wrk.lua')

const onTheWire = ({ verb, path, headers, body }: LoadRequest): string => {
  const lines = Object.entries({ Host: '127.0.0.1', ...headers }).map(([name, value]) => `${name}: ${value}`)
  if (body !== null) lines.push(`Content-Length: ${Buffer.byteLength(body)}`)
  return `${verb} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body ?? ''}`
}
