import t from 'tap'
import { storiesOfMoneyOut } from '../../rails/faults/stories-of-money-out.ts'
import { chosenRounds, runFaults } from '../../rails/faults/table.ts'

/** The table of faults as far as people are in it: money that they send, and MED that they answer (rails, sections 7 and 10, R10 and R11). */
const { seed, kills } = chosenRounds()

t.test(`faults of money out and of MED, seed ${seed}`, { timeout: 600_000 }, (t) =>
  runFaults(t, { stories: storiesOfMoneyOut, kills, seed, havePeople: true }),
)
