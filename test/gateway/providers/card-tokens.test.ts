import { randomBytes } from 'node:crypto'
import t from 'tap'
import type { ProviderCallRequest } from '../../../engine/kernel/calls.ts'
import type { AccountId } from '../../../engine/shared/ids.ts'
import { openCardTokens } from '../../../gateway/providers/card-tokens.ts'

const live = 'cmp_1/PRODUCTION' as AccountId
const other = 'cmp_2/PRODUCTION' as AccountId
const sandbox = 'cmp_1/SANDBOX' as AccountId

const asking = (accountId: AccountId, token: string): ProviderCallRequest =>
  ({ operation: 'AUTHORIZE', accountId, card: { token, brand: 'VISA' } }) as never
const tokenIn = (request: ProviderCallRequest): string | undefined =>
  'card' in request ? request.card?.token : undefined

t.test('a token is sealed, and revealed to the acquirer of its account alone', async (t) => {
  const masterKey = randomBytes(32)
  const tokens = openCardTokens(masterKey)
  const sealed = tokens.seal(live, 'tok_é 4242')
  t.notMatch(sealed, /4242/)
  t.not(tokens.seal(live, 'tok_é 4242'), sealed, 'equal tokens do not look equal')
  t.equal(tokenIn(tokens.revealed(asking(live, sealed))), 'tok_é 4242')
  t.equal(tokenIn(openCardTokens(masterKey).revealed(asking(live, sealed))), 'tok_é 4242', 'after a restart')
  t.throws(() => tokens.revealed(asking(other, sealed)), 'moved to another account')
  t.throws(() => openCardTokens(randomBytes(32)).revealed(asking(live, sealed)), 'with another master key')
  t.throws(() => tokens.revealed(asking(live, `${sealed.slice(0, -4)}AAAA`)), 'altered')
})

t.test(
  'only test tokens of the Sandbox stay readable, because the engine reads what they force',
  async (t) => {
    const tokens = openCardTokens(randomBytes(32))
    t.equal(tokens.seal(sandbox, 'tok_test_declined_51'), 'tok_test_declined_51')
    t.match(tokens.seal(sandbox, 'tok_visa'), /^sealed:/)
    t.match(tokens.seal(live, 'tok_test_declined_51'), /^sealed:/)
    t.match(tokens.seal(live, 'sealed:v2.a.b.c'), /^sealed:v2\.[\w-]{16}\./, 'whatever a merchant sends')
  },
)

t.test('what was stored before tokens were sealed is sent as it is, and what has no card too', async (t) => {
  const { revealed } = openCardTokens(randomBytes(32))
  const clear = asking(live, 'tok_of_before')
  t.equal(revealed(clear), clear)
  const capture = { operation: 'CAPTURE', accountId: live, card: null } as never
  t.equal(revealed(capture), capture)
  const transfer = { operation: 'SEND_TRANSFER', accountId: live } as never
  t.equal(revealed(transfer), transfer)
})
