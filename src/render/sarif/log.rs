//! The part of the SARIF 2.1.0 object model that a card needs, in the standard's own names and order.

use std::collections::BTreeMap;

use serde::Serialize;

/// A whole file: one run.
#[derive(Serialize)]
pub(super) struct Log {
    #[serde(rename = "$schema")]
    pub(super) schema: &'static str,
    pub(super) version: &'static str,
    pub(super) runs: [Run; 1],
}

/// One card.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Run {
    pub(super) tool: Tool,
    pub(super) automation_details: Id,
    pub(super) invocations: [Invocation; 1],
    pub(super) original_uri_base_ids: BTreeMap<&'static str, BaseFolder>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) version_control_provenance: Vec<Provenance>,
    pub(super) results: Vec<SarifResult>,
    pub(super) properties: CardProperties,
}

#[derive(Serialize)]
pub(super) struct Id {
    pub(super) id: String,
}

#[derive(Serialize)]
pub(super) struct Tool {
    pub(super) driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Driver {
    pub(super) name: &'static str,
    pub(super) semantic_version: &'static str,
    pub(super) short_description: Text,
    pub(super) rules: Vec<Rule>,
    pub(super) notifications: [NotificationKind; 1],
}

/// Plain text.
#[derive(Clone, Serialize)]
pub(super) struct Text {
    pub(super) text: String,
}

/// The same text twice: plain, and as Markdown.
#[derive(Serialize)]
pub(super) struct Help {
    pub(super) text: String,
    pub(super) markdown: String,
}

/// `reportingDescriptor` of results.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Rule {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) short_description: Text,
    pub(super) full_description: Text,
    pub(super) help: Help,
    pub(super) default_configuration: Configuration,
    pub(super) properties: RuleProperties,
}

#[derive(Serialize)]
pub(super) struct Configuration {
    pub(super) level: &'static str,
}

/// What GitHub reads of a rule: it sorts and filters alerts by these.
#[derive(Serialize)]
pub(super) struct RuleProperties {
    pub(super) precision: &'static str,
    #[serde(rename = "security-severity")]
    pub(super) security_severity: &'static str,
    pub(super) tags: Vec<String>,
}

/// `reportingDescriptor` of notifications.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NotificationKind {
    pub(super) id: &'static str,
    pub(super) name: &'static str,
    pub(super) short_description: Text,
    pub(super) full_description: Text,
    pub(super) help: Text,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Invocation {
    pub(super) execution_successful: bool,
    pub(super) tool_execution_notifications: Vec<Notification>,
}

#[derive(Serialize)]
pub(super) struct Notification {
    pub(super) descriptor: DescriptorReference,
    pub(super) level: &'static str,
    pub(super) message: Text,
}

#[derive(Serialize)]
pub(super) struct DescriptorReference {
    pub(super) id: &'static str,
    pub(super) index: usize,
}

#[derive(Serialize)]
pub(super) struct BaseFolder {
    pub(super) description: Text,
}

/// `versionControlDetails`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Provenance {
    pub(super) repository_uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) revision_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) revision_tag: Option<String>,
    pub(super) mapped_to: BaseReference,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BaseReference {
    pub(super) uri_base_id: &'static str,
}

/// `result`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SarifResult {
    pub(super) rule_id: String,
    pub(super) rule_index: usize,
    pub(super) level: &'static str,
    pub(super) message: Text,
    pub(super) locations: Vec<Location>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) related_locations: Vec<Location>,
    pub(super) partial_fingerprints: Fingerprints,
    #[serde(skip_serializing_if = "ResultProperties::is_empty")]
    pub(super) properties: ResultProperties,
}

/// What makes a result the same one in a later card.
#[derive(Serialize)]
pub(super) struct Fingerprints {
    #[serde(rename = "auditRating/v1")]
    pub(super) rating: String,
    /// The one that GitHub compares.
    #[serde(rename = "primaryLocationLineHash")]
    pub(super) github: String,
}

#[derive(Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Location {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<usize>,
    pub(super) physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) message: Option<Text>,
}

#[derive(Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PhysicalLocation {
    pub(super) artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) region: Option<Region>,
}

#[derive(Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ArtifactLocation {
    pub(super) uri: String,
    pub(super) uri_base_id: &'static str,
}

#[derive(Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Region {
    pub(super) start_line: u32,
    pub(super) end_line: u32,
}

/// The figures of a result.
#[derive(Serialize)]
pub(super) struct ResultProperties {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) level: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) status: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cap: Option<String>,
}

impl ResultProperties {
    fn is_empty(&self) -> bool {
        self.level.is_none() && self.status.is_none() && self.cap.is_none()
    }
}

/// The figures of the card.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CardProperties {
    pub(super) id: String,
    pub(super) score: String,
    pub(super) band: String,
    pub(super) scored_date: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) commit: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) subpath: Option<String>,
}
