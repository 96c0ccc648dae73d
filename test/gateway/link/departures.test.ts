import t from 'tap'
import { ShardMoved } from '../../../engine/kernel/unavailable.ts'
import { bounds } from '../../../gateway/base/bounds.ts'
import { newDepartures } from '../../../gateway/link/departures.ts'
import { type Batch, openLink, Unanswered } from '../../../gateway/link/link.ts'
import { newFrameClock } from './frame-clock.ts'

/** Departures to destinations by name, and which left. */
const newStation = () => {
  const clock = newFrameClock()
  const newDeparture = newDepartures(clock)
  const left: string[] = []
  const to = (name: string) => {
    const later = newDeparture()
    return () => later(() => void left.push(name))
  }
  return { clock, left, to }
}

t.test('a lone frame leaves with its turn, and so does one that comes long after another', async (t) => {
  const { clock, left, to } = newStation()
  const toB = to('b')
  for (const sum of [1, 2]) {
    toB()
    t.equal(left.length, sum - 1)
    clock.endTurn()
    t.equal(left.length, sum)
    clock.pass(2 * bounds.frameGatherMs)
  }
  t.equal(clock.soonCount(), 0)
})

t.test('behind another frame the next one gathers, to that destination alone', async (t) => {
  const { clock, left, to } = newStation()
  const [toB, toC] = [to('b'), to('c')]
  toB()
  clock.endTurn()
  clock.pass(bounds.frameGatherMs / 2)
  toB()
  toC()
  clock.endTurn()
  t.strictSame(left, ['b', 'c'])
  clock.passSoon()
  t.strictSame(left, ['b', 'c', 'b'])
  toB()
  clock.endTurn()
  t.equal(left.length, 3, 'what was gathered counts as a frame')
  clock.passSoon()
  t.equal(left.length, 4)
})

/** A link whose frames gather, with what it has sent. */
const newLink = () => {
  const clock = newFrameClock()
  const sent: Batch[] = []
  const link = openLink({
    post: (batch) => sent.push(batch),
    serve: (_kind, message, to) => to.resolve(message),
    later: newDepartures(clock)(),
  })
  const outcomes: unknown[] = []
  const call = (name: string, ticks?: number): void =>
    link.call(
      'serve',
      [name],
      { resolve: (value) => outcomes.push(value), reject: (error) => outcomes.push(error) },
      ticks,
    )
  const names = () => sent.map(({ calls }) => calls.map(([, , message]) => (message as string[])[0]))
  return { clock, link, call, sent, names, outcomes }
}

t.test('what gathers leaves as one batch, answers with calls', async (t) => {
  const { clock, link, call, sent, names } = newLink()
  call('first')
  clock.endTurn()
  call('second')
  clock.endTurn()
  call('third')
  link.receive({ calls: [[99, 'serve', ['asked']]], results: [] })
  t.strictSame(names(), [['first']])
  clock.passSoon()
  t.strictSame(names(), [['first'], ['second', 'third']])
  t.strictSame(sent[1]!.results, [[99, 'ok', ['asked']]])
  clock.endTurn()
  clock.passSoon()
  t.equal(sent.length, 2, 'nothing leaves empty')
})

t.test('a call that was failed before its frame left is not sent, and no other is lost', async (t) => {
  const { clock, link, call, names, outcomes } = newLink()
  call('first')
  clock.endTurn()
  call('late', 1)
  call('kept')
  clock.endTurn()
  link.tick()
  t.ok(outcomes[0] instanceof Unanswered)
  clock.passSoon()
  t.strictSame(names(), [['first'], ['kept']])
  call('failed')
  clock.endTurn()
  link.fail(new ShardMoved('NATS is away'))
  t.equal(outcomes.length, 4)
  clock.passSoon()
  t.equal(names().length, 2, 'a frame without calls stays')
  t.equal(link.waiting(), 0)
})

t.test('whoever calls again where it is rejected is not rejected with the rest', async (t) => {
  const { clock, link, call, names } = newLink()
  let again = 0
  const repeat = (): void =>
    link.call('serve', ['again'], {
      resolve: () => t.fail('nobody answers'),
      reject: () => {
        again += 1
        if (again < 5) repeat()
      },
    })
  repeat()
  call('beside')
  link.fail(new ShardMoved('gone'))
  t.equal(again, 1)
  t.equal(link.waiting(), 1)
  clock.endTurn()
  t.strictSame(names(), [['again']])
})

t.test('an answer that comes twice, late or for another life is nobody’s', async (t) => {
  const { clock, link, call, sent, outcomes } = newLink()
  call('asked')
  clock.endTurn()
  const [number] = sent[0]!.calls[0]!
  const answered = (of: number): void => link.receive({ calls: [], results: [[of, 'ok', ['done']]] })
  answered(number + 1)
  answered(number - 2 ** 40)
  t.strictSame(outcomes, [])
  answered(number)
  answered(number)
  t.strictSame(outcomes, [['done']])
  call('timed', 1)
  clock.passSoon()
  clock.endTurn()
  clock.passSoon()
  link.tick()
  answered(number + 1)
  t.equal(outcomes.length, 2)
  t.equal(link.waiting(), 0)
})
