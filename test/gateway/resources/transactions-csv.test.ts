import t from 'tap'
import { csvHead, csvRows } from '../../../gateway/resources/transactions-csv.ts'
import { aCharge, aPayer, opened } from '../../engine/world.ts'

t.test('an export has the 36 columns of section 26, in that order', async (t) => {
  t.equal(
    csvHead,
    'id,createdAt,approvedAt,status,method,origin,product,kind,currency,amount,paidAmount,refundedAmount,disputedAmount,feeAmount,netAmount,installments,externalId,reference,description,customerId,customerName,customerDocument,customerEmail,providerId,endToEndId,txid,nsu,tid,authorizationCode,cardBrand,cardLast4,boletoOurNumber,subscriptionId,invoiceId,failureReason,splitRuleId\r\n',
  )
})

t.test('a text that a spreadsheet would take for a formula gets an apostrophe', async (t) => {
  const world = await opened()
  const customer = { ...aPayer, name: '=1+1' }
  const charge = await world.accepted(aCharge({ customer, description: '-2', reference: 'a, "b"\r\nc' }))
  const [row] = [csvRows([charge])]
  t.match(row, `,"a, ""b""\r\nc",'-2,${charge.customerId},'=1+1,`)
  t.ok(row.endsWith('\r\n'))
})
