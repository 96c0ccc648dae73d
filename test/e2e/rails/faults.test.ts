import t from 'tap'
import { storiesOfCharges } from '../../rails/faults/stories-of-charges.ts'
import { storiesOfMoneyBack } from '../../rails/faults/stories-of-money-back.ts'
import { chosenRounds, runFaults } from '../../rails/faults/table.ts'

/**
 * The table of faults of the way to banks (rails, section 7): every row as it is, and killed at one of its points, which another seed of
 * `FAULT_SEED` chooses. `npm run rails -- --faults` kills at all of them.
 */
const { seed, kills } = chosenRounds()

t.test(`faults of the way to banks, seed ${seed}`, { timeout: 600_000 }, (t) =>
  runFaults(t, { stories: [...storiesOfCharges, ...storiesOfMoneyBack], kills, seed }),
)
