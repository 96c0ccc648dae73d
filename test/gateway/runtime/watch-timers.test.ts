import t from 'tap'
import { watchTimers } from '../../../gateway/runtime/watch-timers.ts'
import { entryLayout } from '../../../persistence/codec/entry.ts'
import { memoryJournal } from '../../../persistence/journal/memory-journal.ts'
import { aBrokenPayment } from '../../engine/broken-payment.ts'
import { account, opened } from '../../engine/world.ts'

t.test('an operator hears of due work that is put aside, and of nothing else', async (t) => {
  const world = await opened()
  const id = await aBrokenPayment(world)
  await world.advance('P8D')
  const heard: unknown[] = []
  const journal = watchTimers(memoryJournal(entryLayout), ({ id, due }, accountId) =>
    heard.push([id, due, accountId]),
  )
  for (const { record } of world.journal.replay(0)) journal.append(record)
  t.strictSame(heard, [[id, 'CloseMed', account]])
  t.equal(journal.appended(), world.journal.appended())
})
