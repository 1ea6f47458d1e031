// An account with a container as the provider needs it, and two or more replicas of the worker on it, without a key.
param location string = resourceGroup().location
@description('Prefix of all names; that of the account must be unique in Azure')
param name string = 'orders${uniqueString(resourceGroup().id)}'
@description('Image of the worker: the Dockerfile of this project')
param image string
param minReplicas int = 2
param maxReplicas int = 10

resource account 'Microsoft.DocumentDB/databaseAccounts@2024-11-15' = {
  name: name
  location: location
  properties: {
    databaseAccountOfferType: 'Standard'
    // One write region: locks are conditional writes.
    locations: [{ locationName: location }]
    consistencyPolicy: { defaultConsistencyLevel: 'Session' }
    disableLocalAuth: true
    capabilities: [{ name: 'EnableServerless' }]
  }

  resource database 'sqlDatabases' = {
    name: 'duroxide'
    properties: { resource: { id: 'duroxide' } }

    resource container 'containers' = {
      name: 'duroxide'
      properties: {
        resource: {
          id: 'duroxide'
          partitionKey: { paths: ['/instanceId'], kind: 'Hash', version: 2 }
          defaultTtl: -1
          indexingPolicy: loadJsonContent('indexing-policy.json')
        }
      }
    }
  }

  // The provider reads the account, queries, and reads and writes documents.
  resource role 'sqlRoleDefinitions' = {
    name: guid(account.id, 'durable-orchestrations')
    properties: {
      roleName: 'Durable orchestrations'
      type: 'CustomRole'
      assignableScopes: [account.id]
      permissions: [
        {
          dataActions: [
            'Microsoft.DocumentDB/databaseAccounts/readMetadata'
            'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers/executeQuery'
            'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers/readChangeFeed'
            'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers/items/*'
          ]
        }
      ]
    }
  }

  resource assignment 'sqlRoleAssignments' = {
    name: guid(account.id, identity.id, 'durable-orchestrations')
    properties: {
      principalId: identity.properties.principalId
      roleDefinitionId: role.id
      scope: account.id
    }
  }
}

resource identity 'Microsoft.ManagedIdentity/userAssignedIdentities@2023-01-31' = {
  name: '${name}-worker'
  location: location
}

resource logs 'Microsoft.OperationalInsights/workspaces@2023-09-01' = {
  name: '${name}-logs'
  location: location
  properties: { sku: { name: 'PerGB2018' }, retentionInDays: 30 }
}

resource environment 'Microsoft.App/managedEnvironments@2024-03-01' = {
  name: '${name}-environment'
  location: location
  properties: {
    appLogsConfiguration: {
      destination: 'log-analytics'
      logAnalyticsConfiguration: {
        customerId: logs.properties.customerId
        sharedKey: logs.listKeys().primarySharedKey
      }
    }
  }
}

resource worker 'Microsoft.App/containerApps@2024-03-01' = {
  name: '${name}-worker'
  location: location
  identity: { type: 'UserAssigned', userAssignedIdentities: { '${identity.id}': {} } }
  properties: {
    managedEnvironmentId: environment.id
    configuration: { activeRevisionsMode: 'Single' }
    template: {
      // Running activities get 20 s, and the rest is for the last commits.
      terminationGracePeriodSeconds: 30
      containers: [
        {
          name: 'worker'
          image: image
          resources: { cpu: json('0.5'), memory: '1Gi' }
          env: [
            { name: 'COSMOSDB_ENDPOINT', value: account.properties.documentEndpoint }
            { name: 'AZURE_CLIENT_ID', value: identity.properties.clientId }
            { name: 'PORT', value: '8080' }
          ]
          probes: [
            { type: 'Liveness', httpGet: { path: '/live', port: 8080 } }
            { type: 'Readiness', httpGet: { path: '/health', port: 8080 } }
          ]
        }
      ]
      scale: { minReplicas: minReplicas, maxReplicas: maxReplicas }
    }
  }
  dependsOn: [account::assignment, account::database::container]
}

output endpoint string = account.properties.documentEndpoint
