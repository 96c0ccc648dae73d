import type { Test } from 'tap'
import { startNatsServers } from '../nats/servers.ts'
import { newMerchant, startReceiver, startService, until } from './service.ts'

/** The service on a nats-server, with a merchant that listens. */
export const startOnNats = async (t: Test) => {
  const servers = await startNatsServers(1)
  t.teardown(servers.stop)
  const service = await startService(t, { env: { NATS_URL: servers.url } })
  const { company, call } = await newMerchant(service)
  const receiver = await startReceiver(t)
  await service.operate('webhooks create', { company: company.id, environment: 'sandbox', url: receiver.url })
  const charge = async (): Promise<string> => {
    const { status, body } = await call('POST', '/v1/pix/charges', { amount: 100 })
    t.equal(status, 201)
    return body.id
  }
  /** For every worker. */
  const streamIs = (state: 'connected' | 'away') =>
    until(
      async () => (await service.metric('payments_event_stream_connected')) === (state === 'away' ? 0 : 2),
    )
  await streamIs('connected')
  return { servers, service, call, receiver, charge, streamIs }
}

/** Troubles that a log tells again, with nothing else in trouble since it told them. */
export const repeatsIn = (log: string): string[] => {
  const troubles = log
    .split('\n')
    .filter((line) => line.includes(' cannot be used: '))
    .map((line) => JSON.parse(line).msg)
  return troubles.filter((trouble, n) => trouble === troubles[n - 1])
}

export const told = (events: readonly any[]): string[] => events.map(({ type, data }) => `${type} ${data.id}`)
export const bothOf = (id: string): string[] => [`payment.created ${id}`, `payment.pending ${id}`]
