import t from 'tap'
import { promised } from '../../../engine/kernel/handler.ts'
import { type AccountId, accountIdOf, type CompanyId } from '../../../engine/shared/ids.ts'
import { newGather } from '../../../gateway/webhooks/gather.ts'

const account = accountIdOf('cmp_01KX0000000000000000000000' as CompanyId, 'SANDBOX')
const other = accountIdOf('cmp_01KX0000000000000000000001' as CompanyId, 'SANDBOX')

const newGathering = (fails = false) => {
  const sent: string[] = []
  const turns: (() => void)[] = []
  const gather = newGather<number>({
    max: 2,
    send: (accountId, items, kind, to) => {
      sent.push(`${accountId === account ? 'own' : 'other'} ${items}${kind && ` of ${kind}`}`)
      if (fails) to.reject(new Error('the shard is recovering'))
      else to.resolve(null)
    },
    later: (callback) => void turns.push(callback),
  })
  const endTurn = (): void => {
    for (const callback of turns.splice(0)) callback()
  }
  return {
    gather: (accountId: AccountId, item: number, kind?: string) =>
      promised<void>((to) => gather(accountId, item, to, kind)),
    sent,
    endTurn,
  }
}

t.test('what one turn has for an account and kind goes together, as far as it may', async (t) => {
  const { gather, sent, endTurn } = newGathering()
  const all = [
    gather(account, 1),
    gather(account, 2),
    gather(other, 3),
    gather(account, 4),
    gather(account, 5, 'trace'),
  ]
  t.strictSame(sent, [])
  endTurn()
  await Promise.all(all)
  t.strictSame(sent, ['own 1,2', 'other 3', 'own 4', 'own 5 of trace'])
  const later = gather(account, 6)
  endTurn()
  await later
  t.equal(sent.at(-1), 'own 6')
})

t.test('when it fails, it fails for each of them', async (t) => {
  const { gather, endTurn } = newGathering(true)
  const both = [gather(account, 1), gather(account, 2)]
  endTurn()
  for (const one of both) await t.rejects(one, /recovering/)
})
