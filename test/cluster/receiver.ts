import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Scope } from '../e2e/service.ts'

/** A merchant's server that remembers what it heard, in little room: a run hears a hundred thousand events. */
export type Receiver = {
  readonly url: string
  /** How often each delivery was tried. */
  readonly tries: ReadonlyMap<string, number>
  /** The events that it took, by type and what they tell of. */
  readonly events: ReadonlySet<string>
}

/** Where it `refuses`, it answers 500 to one first attempt in 32: the next one comes after 30 s. */
export const startReceiver = async (t: Scope, refuses: boolean): Promise<Receiver> => {
  const tries = new Map<string, number>()
  const events = new Set<string>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const id = request.headers['service-delivery'] as string
      const count = (tries.get(id) ?? 0) + 1
      tries.set(id, count)
      const { type, data } = JSON.parse(Buffer.concat(chunks).toString('utf8'))
      const isRefused = refuses && count === 1 && isHard(id)
      if (!isRefused) events.add(eventKey(type, data.id))
      response.writeHead(isRefused ? 500 : 200).end()
    })
  })
  // The service ends idle connections after a minute: one that the receiver ends is lost for the attempt that takes it then.
  server.keepAliveTimeout = 120_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, tries, events }
}

export const eventKey = (type: string, object: string): string => `${type} ${object}`

/** By the last character of the id. */
const isHard = (deliveryId: string): boolean => deliveryId.endsWith('7')
