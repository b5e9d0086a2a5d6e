/** The body that each alarm system of docs/GUARDS.md sends by default, as its documentation has it. */
export const bodies: Readonly<Record<string, object>> = {
  Alertmanager: {
    version: "4",
    groupKey: '{}:{alertname="CheckoutErrors"}',
    truncatedAlerts: 0,
    status: "firing",
    receiver: "burgee",
    groupLabels: {
      alertname: "CheckoutErrors",
    },
    commonLabels: {
      alertname: "CheckoutErrors",
      severity: "page",
    },
    commonAnnotations: {},
    externalURL: "http://alertmanager.example.com:9093",
    alerts: [
      {
        status: "firing",
        labels: {
          alertname: "CheckoutErrors",
          severity: "page",
        },
        annotations: {},
        startsAt: "2026-03-01T09:00:00Z",
        endsAt: "0001-01-01T00:00:00Z",
        generatorURL: "http://prometheus.example.com:9090/graph",
        fingerprint: "1a30ba71cca2921f",
      },
    ],
  },
  Grafana: {
    receiver: "burgee",
    status: "firing",
    orgId: 1,
    version: "1",
    state: "alerting",
    title: "[FIRING:1] CheckoutErrors",
    message: "**Firing**",
    truncatedAlerts: 0,
    groupKey: '{}:{alertname="CheckoutErrors"}',
    groupLabels: {
      alertname: "CheckoutErrors",
    },
    commonLabels: {
      alertname: "CheckoutErrors",
    },
    commonAnnotations: {},
    externalURL: "https://grafana.example.com/",
    alerts: [
      {
        status: "firing",
        labels: {
          alertname: "CheckoutErrors",
        },
        annotations: {},
        startsAt: "2026-03-01T09:00:00Z",
        endsAt: "0001-01-01T00:00:00Z",
        values: {
          B: 0.12,
          C: 1,
        },
        generatorURL: "https://grafana.example.com/alerting/grafana/abc/view",
        fingerprint: "c6eadffa33fcdf37",
        silenceURL: "https://grafana.example.com/alerting/silence/new",
        dashboardURL: "",
        panelURL: "",
      },
    ],
  },
  Datadog: {
    body: "%%%\n@webhook-burgee-checkout\n%%%",
    last_updated: "1772355600000",
    event_type: "metric_alert_monitor",
    title: "[Triggered] Checkout errors",
    date: "1772355600000",
    org: {
      id: "1",
      name: "Example",
    },
    id: "1",
  },
  PagerDuty: {
    event: {
      id: "01ABCDEF",
      event_type: "incident.triggered",
      resource_type: "incident",
      occurred_at: "2026-03-01T09:00:00.000Z",
      agent: null,
      client: {
        name: "Monitoring Service",
      },
      data: {
        id: "PT4KHLK",
        type: "incident",
        number: 1234,
        status: "triggered",
        title: "Checkout errors",
        urgency: "high",
        service: {
          id: "PIJ90N7",
          type: "service_reference",
          summary: "Checkout",
        },
      },
    },
  },
  CloudWatch: {
    version: "0",
    id: "c4c1c1c9-6542-e61b-6ef0-8c4d36933a92",
    "detail-type": "CloudWatch Alarm State Change",
    source: "aws.cloudwatch",
    account: "123456789012",
    time: "2026-03-01T09:00:00Z",
    region: "eu-central-1",
    resources: ["arn:aws:cloudwatch:eu-central-1:123456789012:alarm:checkout-errors"],
    detail: {
      alarmName: "checkout-errors",
      state: {
        value: "ALARM",
        timestamp: "2026-03-01T09:00:00.000+0000",
      },
      previousState: {
        value: "OK",
      },
      configuration: {
        metrics: [],
      },
    },
  },
};
