import t from 'tap'
import { newKeptAnswers } from '../../../gateway/api/kept-answers.ts'

t.test('an answer is written again when anything that it shows is another', async (t) => {
  let written = 0
  const scratch = Buffer.alloc(100)
  const keep = newKeptAnswers((answer) => {
    written += 1
    return scratch.subarray(0, scratch.write(JSON.stringify(answer)))
  })
  const answer = (shows: readonly [object, ...unknown[]], amount: number): string =>
    String(keep({ shows, bodyOf: () => ({ amount }) }))
  const [state, delivery] = [{}, {}]
  t.equal(answer([state, 'today', 1], 1), '{"amount":1}')
  t.equal(answer([state, 'today', 1], 2), '{"amount":1}', 'the same things are shown as they were')
  t.equal(written, 1)
  t.equal(answer([state, 'tomorrow', 1], 3), '{"amount":3}')
  t.equal(answer([state, 'tomorrow', 1, delivery], 4), '{"amount":4}')
  t.equal(answer([state, 'tomorrow', 1, {}], 5), '{"amount":5}')
  t.equal(answer([{}, 'tomorrow', 1, delivery], 6), '{"amount":6}')
  scratch.fill(0)
  t.equal(answer([state, 'tomorrow', 1, delivery], 7), '{"amount":7}', 'only the latest is kept')
  t.equal(answer([state, 'tomorrow', 1, delivery], 8), '{"amount":7}')
})
