import t from 'tap'
import { apiPix } from '../../../../gateway/providers/api-pix/module.ts'
import { byName, modules } from '../../../../gateway/providers/modules.ts'
import { simulatedProfiles } from '../../../rails/api-pix/profiles/index.ts'
import { plainBank } from '../../../rails/api-pix/profiles/plain.ts'
import { complaintsAbout } from '../contract.ts'
import { aProfile } from './made-up-bank.ts'
import { subjectOver } from './subject.ts'

/** The five banks, and a sixth that is a file of data and a line. */
const all = byName(...Object.values(modules), apiPix(aProfile))
const simulated = { ...simulatedProfiles, [aProfile.name]: plainBank }

for (const [name, module] of Object.entries(all))
  t.test(`${name} keeps the contract of providers over a bank with books of its own`, async (t) => {
    const subject = await subjectOver(t, { module, profile: simulated[name]! })
    t.strictSame(await complaintsAbout(subject), [])
  })
