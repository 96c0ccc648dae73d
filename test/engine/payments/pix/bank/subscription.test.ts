import t from 'tap'
import type { Plan } from '../../../../../engine/billing/catalog/plan.ts'
import type { Subscription } from '../../../../../engine/billing/subscription/subscription.ts'
import type { Transaction } from '../../../../../engine/payments/transaction/transaction.ts'
import { aPlan, stateOf } from '../../../billing/catalog.ts'
import { aSubscription, byPix, everyMethod } from '../../../billing/subscription/subscribing.ts'
import { live, liveAccount } from '../../../connections/live.ts'
import { listener, typesOf } from '../../../story.ts'
import { anArrival, newShop, registered } from './at-bank.ts'

t.test(
  'a subscription by PIX is made over a silent bank, and its code is presented once the bank has registered it',
  async (t) => {
    const { world, bank, pass } = await newShop({})
    const hear = listener(world)
    const plan = stateOf<Plan>(await world.execute({ ...aPlan({ methods: everyMethod }), ...live }))
    const made = aSubscription(plan.id, { ...byPix, ...live })
    const subscription = stateOf<Subscription>(await world.execute(made))
    t.equal(subscription.status, 'PENDING')
    const charge = (): Transaction =>
      world.memory.list(liveAccount, 'transaction', { offset: 0, limit: 1 }).states[0]!
    t.match(charge(), { status: 'CREATED', origin: 'SUBSCRIPTION', calls: [{ operation: 'REGISTER' }] })
    const [invoice] = world.memory.list(liveAccount, 'invoice', { offset: 0, limit: 1 }).states
    t.equal(invoice?.attempts[0]?.payment ?? null, null, 'there is nothing to pay with yet')
    bank.answers = { REGISTER: registered }
    await pass(6_000)
    t.equal(charge().status, 'PENDING')
    const [presented] = world.memory.list(liveAccount, 'invoice', { offset: 0, limit: 1 }).states
    t.match(presented?.attempts[0]?.payment, { copyPaste: /br\.gov\.bcb\.pix/ })
    await world.execute(anArrival(charge(), { amountCents: charge().amountCents }))
    t.equal(world.memory.find('subscription', made.subscriptionId)?.state.status, 'ACTIVE')
    t.ok(typesOf(hear()).includes('subscription.paid'))
  },
)
