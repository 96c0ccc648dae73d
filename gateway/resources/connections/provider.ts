import { settingForms, settingTypes } from '../../providers/connection-settings.ts'
import type { ProviderModule } from '../../providers/port.ts'
import { described, namedObject } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import { booleanOf, count, listOf, nullableField, objectField, objectName, textOf } from '../fields.ts'
import { resource, same } from '../resource.ts'
import { connectionRails } from './connection.ts'

const providerSetting = namedObject('ProviderSetting', 'A setting that connections to a provider have.', {
  name: textOf('Its name.'),
  description: textOf('What it is, in English.'),
  required: booleanOf('Whether no connection is made without it.'),
  secret: booleanOf('Whether it is sealed, and never shown.'),
  operatorOnly: booleanOf('Whether only the operator of the service may set it.'),
  type: described(choice(...settingTypes), 'What its value is. An OBJECT is as its description says.'),
  choices: listOf(textOf('A value.'), 'The values of a CHOICE; empty for others.'),
  charsMax: nullableField(count('Its longest length, in characters.'), 'Null where nothing bounds it.'),
})

/** A bank or acquirer that companies can be connected to, and what it needs to know of a connection. */
export const connectionProvider = resource<ProviderModule, [operatorOnly: readonly string[]]>(
  'ConnectionProvider',
  'A bank or acquirer that companies can be connected to.',
).with({
  ...objectField('connection_provider'),
  name: [textOf('Its name, which a connection has as its `provider`.'), same],
  label: [textOf('Its name for people.'), same],
  rails: [listOf(choice(...connectionRails), 'The ways that money moves by it.'), (m) => m.rails],
  settings: [
    listOf(providerSetting, 'What it needs to know, the required ones first.'),
    (module, operatorOnly) =>
      settingForms(module).map(({ name, description, isRequired, isSecret, type, choices, charsMax }) => ({
        ...{ name, description, required: isRequired, secret: isSecret },
        ...{ operatorOnly: operatorOnly.includes(name), type, choices, charsMax },
      })),
  ],
})

export const connectionProviders = namedObject('ConnectionProviderList', 'All that can be connected to.', {
  object: objectName('list'),
  data: listOf(connectionProvider.schema, 'In no particular order.'),
})
