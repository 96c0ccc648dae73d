import { parseArgs } from 'node:util'
import { modules } from '../../gateway/providers/modules.ts'
import { startLiveService } from './live-service.ts'

/**
 * `npm run rails`: a simulated bank and the service side by side, with a company that is connected to the bank, for people who want to see a
 * Production charge without a bank. Everything is new at each start and gone at its end.
 */
const { values } = parseArgs({ options: { bank: { type: 'string', default: 'efi' } } })
if (!Object.hasOwn(modules, values.bank)) {
  console.error(`there is no bank ${values.bank}: ${Object.keys(modules).join(', ')}`)
  process.exit(1)
}
const ends: (() => unknown)[] = []

const end = async (code: number): Promise<never> => {
  for (const one of ends.reverse()) await one()
  process.exit(code)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end(0))

const { bank, service, company, key, connection } = await startLiveService(
  {
    teardown: (one) => void ends.push(one),
    fail: (what) => console.error(`the bank objects: ${what}`),
  },
  { bankName: values.bank },
)
void service().process.once('exit', (code) => void end(code ?? 1))

const { label } = bank.bank.context.profile
console.log(`
A simulated ${label} and the service run side by side, and ${company.id} is connected: ${connection.id} is ${connection.status}.
No money moves. Ctrl-C ends both.

  export API=${service().origin}
  export KEY=${key.secret}
  export BANK=${bank.control.url}

Make a charge of Production, pay it at the bank, and see what became of it:

  CHARGE=$(curl -s $API/v1/pix/charges -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" -d '{"amount": 1990}'); curl -s $BANK/pay -d "{\\"code\\": $(echo $CHARGE | jq .copyPaste)}" > /dev/null; sleep 2; curl -s $API/v1/pix/charges/$(echo $CHARGE | jq -r .id) -H "Authorization: Bearer $KEY" | jq '{id, status, paidAmount, pix: {endToEndId: .pix.endToEndId}}'

The bank's own books: curl -s $BANK/book. Its faults, clock and other payments: test/rails/README.md.
The operator's command line: DATA_DIR=${service().dataDir} npx payments connections list
`)
