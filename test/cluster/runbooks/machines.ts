import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { exitCodes } from '../../../gateway/base/exit-codes.ts'
import type { Block } from '../../docs/documents.ts'
import { runBlocks } from '../../docs/run-blocks.ts'
import { newDataDir, type Scope } from '../../e2e/service.ts'
import type { TestCluster, TestNode } from '../cluster.ts'

/**
 * The machines of a cluster, one for each node and server: shells on which `systemctl` starts and ends the real processes, and what watches
 * those of the service, as systemd does.
 */
export type Machines = {
  /** Types a block of a page at the machines that its first line names; resolves to what the last one printed. */
  readonly type: (block: Block) => Promise<string>
  /** From its next start on a node runs this program; null for the present build. */
  readonly install: (node: string, program: string | null) => void
  readonly begin: (node: string, clockShiftMs?: number) => Promise<void>
  /** What starts have said that were refused. */
  readonly refusals: readonly string[]
  /** The codes with which nodes have ended by themselves. */
  readonly endings: readonly (readonly [node: string, code: number | null])[]
}

export const startMachines = async (t: Scope, cluster: TestCluster): Promise<Machines> => {
  const names = [...cluster.nodes.keys()].sort()
  const programs = new Map<string, string>()
  const refusals: string[] = []
  const endings: [string, number | null][] = []
  const backups = newDataDir(t)

  const watch = (node: TestNode): void => {
    const { service } = node
    service!.process.once('exit', (code) => {
      if (node.service !== service) return
      node.service = null
      endings.push([node.name, code])
      if (code === exitCodes.RESTART) void begin(node.name)
    })
  }
  const begin: Machines['begin'] = async (name, clockShiftMs) => {
    const program = programs.get(name)
    const options = {
      ...(program !== undefined && { program }),
      ...(clockShiftMs !== undefined && { clockShiftMs }),
    }
    // As systemd: the start is over before it is known what comes of it.
    await cluster.start(name, options).then(watch, (error: Error) => void refusals.push(error.message))
  }
  const actions: Readonly<Record<string, (name: string) => Promise<unknown>>> = {
    'start payments': (name) => begin(name),
    'stop payments': (name) => cluster.nodes.get(name)!.end(),
    'start nats-server': (name) => cluster.servers.start(names.indexOf(name)),
    'stop nats-server': (name) => cluster.servers.kill(names.indexOf(name), 'SIGTERM'),
    'set clock': async (name) => cluster.setClock(name),
  }

  const server = createServer((request, response) => {
    const [, name = '', ...action] = request.url!.split('/')
    const done = actions[action.join(' ')]?.(name) ?? Promise.reject(new Error(`${action.join(' ')}?`))
    done.then(
      () => response.end(),
      (error: Error) => response.writeHead(500).end(error.message),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  t.teardown(() => void server.closeAllConnections())
  t.teardown(() => void server.close())
  const { port } = server.address() as AddressInfo
  const bin = shellPrograms(t)
  for (const node of cluster.nodes.values()) watch(node)

  const typeAt = async (name: string, block: Block): Promise<string> => {
    const node = cluster.nodes.get(name)!
    const n = names.indexOf(name)
    const env = {
      PATH: `${bin}:${process.env.PATH}`,
      MACHINE: `http://127.0.0.1:${port}/${name}`,
      PROGRAM: programs.get(name) ?? presentBuild,
      DATA_DIR: node.dataDir,
      MASTER_KEY_FILE: cluster.keyFile,
      API: node.lives.at(-1)!.origin,
      NATS_STORE: cluster.servers.storeOf(n),
      MONITOR: cluster.servers.monitorUrls[n]!,
      BACKUPS: backups,
    }
    const { status, printed, errors } = await runBlocks(t, [{ ...block, notRun: null }], env)
    if (status !== 0) throw new Error(`at ${name}:\n${block.text}\n${[...printed.values()]}\n${errors}`)
    return printed.get(block.line) ?? ''
  }

  return {
    type: async (block) => {
      let printed = ''
      for (const name of machinesIn(block)) printed = await typeAt(name, block)
      return printed
    },
    install: (name, program) => {
      if (program === null) programs.delete(name)
      else programs.set(name, program)
    },
    begin,
    refusals,
    endings,
  }
}

/** `# on a, b and c` */
const machinesIn = ({ text, line }: Block): readonly string[] => {
  const [, names] = /^# on ([a-z]+(?:(?:, | and )[a-z]+)*)\n/.exec(text) ?? []
  if (names === undefined) throw new Error(`line ${line}: a block of no machine`)
  return names.split(/, | and /)
}

const presentBuild = resolve(import.meta.dirname, '../../../gateway/program/main.js')

const shellPrograms = (t: Scope): string => {
  const folder = mkdtempSync(join(tmpdir(), 'machines-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const write = (name: string, text: string): void =>
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  write('npx', `shift; exec '${process.execPath}' "$PROGRAM" "$@"`)
  write('systemctl', 'exec curl -sS --fail-with-body "$MACHINE/$1/$2"')
  write('chronyc', 'exec curl -sS --fail-with-body "$MACHINE/set/clock"')
  return folder
}
