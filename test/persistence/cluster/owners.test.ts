import t from 'tap'
import type { OpenMember } from '../../../persistence/cluster/open-member.ts'
import { sayOwned } from '../../../persistence/cluster/owners.ts'

t.test('a worker knows what it owns although NATS sends nothing back to its connection', async (t) => {
  const said: string[] = []
  const self = { node: 'a', incarnation: 'a1' }
  const replica = (role: 'OWNER' | 'FOLLOWER') => ({ role: () => role, position: () => ({ epoch: 7 }) })
  const member = {
    connection: { publish: (_: string, text: string) => said.push(text) },
    cluster: 'c',
    self,
    replicas: new Map([
      [0, replica('OWNER')],
      [1, replica('FOLLOWER')],
    ]),
    loads: new Map([[0, { isWhole: () => true, load: () => 2.34 }]]),
    heardOwners: new Map([[0, { owner: { node: 'b', incarnation: 'b1' }, epoch: 6, load: null, atMs: 0 }]]),
    monotonicNow: () => 5,
  }
  sayOwned(member as unknown as OpenMember)
  t.strictSame(said, [JSON.stringify({ ...self, owned: [[0, 7, 2.3]] })])
  t.strictSame([...member.heardOwners], [[0, { owner: self, epoch: 7, load: 2.3, atMs: 5 }]])
})
