import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Scope } from '../e2e/service.ts'

/** A merchant's server that remembers what it heard, in little room: a run hears a hundred thousand events. */
export type Receiver = {
  readonly url: string
  /** How often each delivery was tried. */
  readonly tries: ReadonlyMap<string, number>
  /** The events that were heard, by type and what they tell of. */
  readonly heard: ReadonlySet<string>
  /** Those that were answered with 200. */
  readonly taken: ReadonlySet<string>
}

/** It answers 500 to the first attempt of some deliveries, always the same ones. */
export const startReceiver = async (t: Scope): Promise<Receiver> => {
  const tries = new Map<string, number>()
  const heard = new Set<string>()
  const taken = new Set<string>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const id = request.headers['service-delivery'] as string
      const count = (tries.get(id) ?? 0) + 1
      tries.set(id, count)
      const { type, data } = JSON.parse(Buffer.concat(chunks).toString('utf8'))
      const isRefused = count === 1 && isHard(id)
      heard.add(eventKey(type, data.id))
      if (!isRefused) taken.add(eventKey(type, data.id))
      response.writeHead(isRefused ? 500 : 200).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, tries, heard, taken }
}

export const eventKey = (type: string, object: string): string => `${type} ${object}`

/** One in 32, by the last character of the id. */
export const isHard = (deliveryId: string): boolean => deliveryId.endsWith('7')
