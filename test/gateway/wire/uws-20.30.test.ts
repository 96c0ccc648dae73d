import t from 'tap'
import { testTransport } from './transport-suite.ts'
import { whyNot } from './transports.ts'

const reason = whyNot('uws-20.30')
if (reason === null) testTransport('uws-20.30', true)
else t.test(`uws-20.30: not with Node ${process.version}`, async (t) => t.match(reason, /Cannot find module/))
