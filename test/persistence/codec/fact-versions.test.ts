import t from 'tap'
import { UpgradeUnfinished } from '../../../engine/kernel/unavailable.ts'
import { orUnavailable } from '../../../gateway/runtime/storage.ts'
import {
  directoryFactVersions,
  type FactVersions,
  requireWrittenFact,
  sessionFactVersions,
} from '../../../persistence/codec/fact-versions.ts'
import { codecVersion } from '../../../persistence/codec/layout.ts'

type Old = { readonly type: 'Old' }
type New = { readonly type: 'New' }
const versions: FactVersions<Old | New> = { New: 14 }

t.test('a fact of a type that came later is refused until that version is written', async (t) => {
  requireWrittenFact<Old | New>(versions, { type: 'Old' }, 13)
  requireWrittenFact<Old | New>(versions, { type: 'New' }, 14)
  const refused = () => requireWrittenFact<Old | New>(versions, { type: 'New' }, 13)
  t.throws(refused, /^New is of version 14, and the cluster writes 13: finish the upgrade with/)
  const operation = orUnavailable(Promise.resolve().then(refused))
  const error = await operation.catch((error: unknown) => error)
  t.match(error, { code: 'UPGRADE_UNFINISHED', message: /^New is of version 14/ })
  t.notOk(error instanceof UpgradeUnfinished, 'an operator hears a refusal')
})

t.test('no type comes with a version that this build does not know', async (t) => {
  const all = [...Object.values(directoryFactVersions), ...Object.values(sessionFactVersions)]
  t.strictSame(
    all.filter((version) => version > codecVersion),
    [],
  )
})
