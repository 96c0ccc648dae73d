import t from 'tap'
import { evolveDirectory, newDirectory } from '../../../engine/companies/evolve.ts'
import { extraEventTypes } from '../../../engine/kernel/event-types.ts'
import { accountOfEndpoint, newEndpoints } from '../../../gateway/webhooks/endpoints.ts'
import { anEndpoint } from '../../engine/companies/entries.ts'

const heard = (changes: object, type: string): boolean => {
  const endpoint = { ...anEndpoint(), hearsAfter: 0, ...changes }
  const directory = evolveDirectory(newDirectory(), { type: 'EndpointCreated', endpoint })
  const endpoints = newEndpoints(directory)
  const ids = endpoints.subscribersOf(accountOfEndpoint(endpoint), type, 1)
  t.equal(endpoints.hasSubscribers(accountOfEndpoint(endpoint), type, 1), ids.length > 0)
  return ids.length > 0
}

t.test(
  'extra events go to endpoints that asked for them, and to those of them that want the type',
  async (t) => {
    for (const type of extraEventTypes) {
      t.notOk(heard({}, type))
      t.notOk(heard({ eventTypes: [type] }, type))
      t.ok(heard({ extraEvents: true }, type))
      t.ok(heard({ extraEvents: true, eventTypes: [type] }, type))
      t.notOk(heard({ extraEvents: true, eventTypes: ['payment.approved'] }, type))
    }
    t.ok(heard({}, 'payment.approved'))
    t.ok(heard({ extraEvents: true }, 'payment.approved'))
  },
)

t.test('endpoints that were stored before have no options', async (t) => {
  const { extraEvents: _, headers: __, signature: ___, ...before } = anEndpoint()
  const directory = evolveDirectory(newDirectory(), { type: 'EndpointCreated', endpoint: before as never })
  t.match(directory.endpoints.get(before.id), { extraEvents: false, headers: [], signature: 'service' })
})
