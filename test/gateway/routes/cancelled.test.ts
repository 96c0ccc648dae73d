import t from 'tap'
import { cancellationProblem } from '../../../gateway/routes/payments/cancelled.ts'
import {
  aLiveCancellation,
  aLiveCharge,
  aPixAtBank,
  isRefused,
  newShop,
  registered,
  silence,
  stateAtBank,
} from '../../engine/payments/pix/bank/at-bank.ts'
import { aCancellation, aCharge, opened } from '../../engine/world.ts'

t.test('a cancellation is answered by what the bank said of it', async (t) => {
  const cases = [
    [stateAtBank('REMOVED_BY_RECEIVER'), null],
    [silence, { status: 503 }],
    [stateAtBank('PAID', aPixAtBank()), { status: 409, extra: { currentStatus: 'APPROVED' } }],
    [isRefused('não'), { status: 409, extra: { currentStatus: 'PENDING' } }],
  ] as const
  for (const [CANCEL, problem] of cases) {
    const { world } = await newShop({ REGISTER: registered, CANCEL })
    const charge = await world.accepted(aLiveCharge())
    const cancelled = await world.accepted(aLiveCancellation(charge.id))
    t.match(cancellationProblem(cancelled), problem)
  }
})

t.test('in the Sandbox it is done at once', async (t) => {
  const world = await opened()
  const charge = await world.accepted(aCharge())
  t.equal(cancellationProblem(await world.accepted(aCancellation(charge.id))), null)
})
