import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { WebSocket } from 'undici'
import type { Service } from '../e2e/service.ts'

/** A place that is looked at: the first line of a function's body, or a text within the line that begins it. */
export type Landmark = { readonly file: string; readonly line: string; readonly text?: string }

/** The files on the way from outside to a landmark, outermost first, each once in a row. */
export type Path = { readonly to: Landmark; readonly files: readonly string[] }

/**
 * Watches the first worker of a service that was started with `--inspect`, as a debugger does. The answer has the way to each
 * landmark, every time it is reached: across promises and callbacks, back to what caused them.
 */
export const watchWay = async (
  service: Service,
  landmarks: readonly Landmark[],
): Promise<readonly Path[]> => {
  const paths: Path[] = []
  const scripts = new Map<string, string>()
  const breakpoints = new Map<string, Landmark>()
  const { send } = await openWorkerSession(service, ({ method, params }) => {
    if (method === 'Debugger.scriptParsed') scripts.set(params.scriptId, params.url)
    if (method !== 'Debugger.paused') return
    const stacks = [params.callFrames]
    for (let { asyncStackTrace: stack } = params; stack !== undefined; stack = stack.parent)
      stacks.push(stack.callFrames)
    const files = stacks.flat().flatMap(({ url, scriptId, location }) => {
      const [, file] = (url || scripts.get(location?.scriptId ?? scriptId))?.split('/dist/') ?? []
      return file === undefined ? [] : [sourceOf(file)]
    })
    const to = breakpoints.get(params.hitBreakpoints[0])!
    paths.push({ to, files: files.reverse().filter((file, n, all) => file !== all[n - 1]) })
    void send('Debugger.resume')
  })
  await send('Debugger.enable')
  await send('Debugger.setAsyncCallStackDepth', { maxDepth: 64 })
  for (const landmark of landmarks) {
    const { file, line, text } = landmark
    const path = join(import.meta.dirname, '../..', file.replace(/\.ts$/, '.js'))
    const lines = readFileSync(path, 'utf8').split('\n')
    const at = lines.findIndex((one) => one.includes(line))
    const place = { lineNumber: text ? at : at + 1, ...(text && { columnNumber: lines[at]!.indexOf(text) }) }
    const { breakpointId, locations } = await send('Debugger.setBreakpointByUrl', {
      url: `file://${path}`,
      ...place,
    })
    if (at < 0 || locations.length === 0) throw new Error(`${file} cannot be stopped at ${line}`)
    breakpoints.set(breakpointId, landmark)
  }
  return paths
}

const sourceOf = (file: string): string => file.replace(/\.js$/, '.ts')

type Message = { readonly id?: number; readonly method: string; readonly params: any; readonly result?: any }

/** A session of the inspector with the first worker, through the one with its process. */
export const openWorkerSession = async (service: Service, onEvent: (event: Message) => void) => {
  await service.logged('Debugger listening on ')
  const socket = new WebSocket(/ws:\/\/\S+/.exec(service.log())![0])
  await new Promise((resolve) => socket.addEventListener('open', resolve))
  const process = newCalls((message) => socket.send(message))
  let sessionId: string | undefined
  const worker = newCalls(
    (message) => void process.send('NodeWorker.sendMessageToWorker', { sessionId, message }),
  )
  const attached = new Promise<void>((resolve) => {
    socket.addEventListener('message', ({ data }) => {
      const message: Message = JSON.parse(String(data))
      if (message.method === 'NodeWorker.attachedToWorker') {
        sessionId ??= message.params.sessionId
        resolve()
      } else if (message.method === 'NodeWorker.receivedMessageFromWorker') {
        const inner: Message = JSON.parse(message.params.message)
        if (!worker.answered(inner)) onEvent(inner)
      } else process.answered(message)
    })
  })
  await process.send('NodeWorker.enable', { waitForDebuggerOnStart: false })
  await attached
  return worker
}

/** Calls that are numbered, and resolve with their results. */
const newCalls = (post: (message: string) => void) => {
  const waiting = new Map<number, (result: any) => void>()
  let calls = 0
  return {
    send: (method: string, params: object = {}): Promise<any> =>
      new Promise((resolve) => {
        const id = ++calls
        waiting.set(id, resolve)
        post(JSON.stringify({ id, method, params }))
      }),
    answered: ({ id, result }: Message): boolean => {
      if (id === undefined) return false
      waiting.get(id)?.(result)
      return waiting.delete(id)
    },
  }
}

/** What a reader walks who follows these paths: the files, in order, and how often one leads back to an earlier one. */
export const walkOf = (paths: readonly Path[]) => {
  type Fork = Map<string, Fork>
  const rooms = new Set<string>()
  const returns: string[] = []
  const start: Fork = new Map()
  for (const { files } of paths) {
    let fork = start
    for (const file of files) {
      if (!fork.has(file)) {
        if (rooms.has(file)) returns.push(file)
        rooms.add(file)
        fork.set(file, new Map())
      }
      fork = fork.get(file)!
    }
  }
  return { rooms: [...rooms], returns }
}
